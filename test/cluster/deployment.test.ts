import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Simulator } from '../../src/simulator/simulator.ts';
import { eventually } from '../support/child.ts';
import { call, create, get, type KubeObject, list, makeNamespace, patch } from '../support/cluster/api.ts';
import { gateway, nodeNames } from '../support/cluster/places.ts';
import { atEndOfFile } from '../support/live-ports.ts';
import { createDatabase } from './database.ts';
import { daemonOf, isReady, loginOf, logOf, objectsIn, page, readyDaemonOf, release, restartsOf } from './release.ts';

const namespace = 'deployment';
const installed = release('warden', namespace);
const hookPort = 18_000;
const hooks: string[] = [];
/** Bodies of the notifications about the service that goes down. */
const notified = (status: string): readonly string[] =>
  hooks.filter((body) => body.includes('GraphdbServiceNotOnline') && body.includes(`"status":"${status}"`));

const rules = { service_not_online: { for: '0s', keep_firing_for: '0s' } };
const receivers = [{ name: 'hook', webhook: { url: `http://${gateway}:${hookPort}/hook` } }];
const config = {
  unready_on_rejected_config: true,
  collectors: { services: { interval: '1s', timeout: '1s' }, health: { interval: '1s', timeout: '1s' } },
  tracker: { confirm: 1 },
  alerts: { receivers, routes: [{ receivers: ['hook'], group_wait: '0s' }], rules },
};
const values = {
  clusters: [{ name: 'prod' }],
  service: { enabled: true },
  podMonitor: { enabled: true },
  terminationGracePeriodSeconds: 20,
  config,
};
/** The chart takes it, and the program does not. */
const badCollectors = { health: { interval: '1s', timeout: '5s' } };
const bad = { ...values, config: { ...config, collectors: badCollectors } };

let simulator: Simulator;

async function keep(request: IncomingMessage): Promise<void> {
  hooks.push(await text(request));
}

async function metrics(pod: KubeObject): Promise<string> {
  const reply = await page(pod, '/metrics', await loginOf(installed, 'prometheus'));
  expect(reply.status).toBe(200);
  return reply.text;
}

async function untilMetrics(pod: KubeObject, wanted: RegExp): Promise<void> {
  await eventually(`metrics match ${wanted}`, async () => wanted.test(await metrics(pod)));
}

/** Adds the logs of the test pod, without which the error only states that the pod failed. */
async function withTestLogs(failure: Error): Promise<never> {
  const pod = await get(`/api/v1/namespaces/${namespace}/pods/warden-graphwarden-test-configuration`);
  const logs = await Promise.allSettled(['check-config', 'healthcheck'].map((container) => logOf(pod, container)));
  throw new Error(JSON.stringify(logs), { cause: failure });
}

const atEnd = atEndOfFile();

beforeAll(async () => {
  await makeNamespace(namespace);
  simulator = await createDatabase(namespace, 15_000);
  const server = createServer((request, reply) => void keep(request).finally(() => reply.end()));
  server.listen(hookPort, gateway);
  atEnd(async () => void server.close());
});

describe('one daemon', () => {
  let pod: KubeObject;

  it('is installed, discovers the pods of the database and is scraped', async () => {
    await installed.apply(values);
    pod = await readyDaemonOf(installed);
    await untilMetrics(pod, /^graphdb_service_up\S*node="prod-2"|node="prod-2"/m);
  });

  it.each([4, 3] as const)('passes helm test of Helm %i', async (version) => {
    const result = await release('warden', namespace, { version }).helm('test').catch(withTestLogs);
    expect(result).toContain('Succeeded');
  });

  it('loads a changed configuration without a restart', async () => {
    await installed.apply({ ...values, clusters: [{ name: 'renamed', service: { name: 'prod-internal-service' } }] });
    await untilMetrics(pod, /cluster_name="renamed"/);
    await installed.apply(values);
    await untilMetrics(pod, /cluster_name="prod"/);
    const now = await daemonOf(installed);
    expect(now.metadata.uid).toBe(pod.metadata.uid);
    expect(restartsOf(now)).toBe(0);
  });

  it('keeps its configuration when the new one is rejected, logs that, and is rolled back', async () => {
    await installed.apply(bad);
    const now = await eventually('the pod is unready', async () => {
      const found = await daemonOf(installed);
      return !isReady(found) && found;
    });
    expect(now.metadata.uid).toBe(pod.metadata.uid);
    expect(restartsOf(now)).toBe(0);
    expect(await metrics(now)).toMatch(/^graphwarden_config_last_reload_successful 0$/m);
    expect(await logOf(now, 'graphwarden')).toContain('must not be longer than the interval');
    await installed.helm('rollback');
    await untilMetrics(pod, /^graphwarden_config_last_reload_successful 1$/m);
    const again = await readyDaemonOf(installed);
    expect([again.metadata.uid, restartsOf(again)]).toEqual([pod.metadata.uid, 0]);
  });

  it('is not changed by a configuration that the hook rejects', async () => {
    const path = `/api/v1/namespaces/${namespace}/configmaps/warden-graphwarden`;
    const before = await get(path);
    const said = await installed.refusal({ ...bad, configCheck: { enabled: true, timeout: 60 } });
    expect(said).toMatch(/pre-upgrade/);
    expect((await get(path)).data).toEqual(before.data);
    const [job] = await list(
      `/api/v1/namespaces/${namespace}/pods?labelSelector=app.kubernetes.io/component=config-check`,
    );
    if (job === undefined) expect.fail('the failed Job has no pod');
    expect(await logOf(job, 'graphwarden')).toContain('must not be longer than the interval');
    await installed.apply({ ...values, configCheck: { enabled: true, timeout: 60 } });
    expect((await daemonOf(installed)).metadata.uid).toBe(pod.metadata.uid);
  });

  it('moves with its open incidents when its node is drained', async () => {
    simulator.control.setService('GPE', '1', '1', 'Down');
    await eventually('the receiver is notified', async () => notified('firing').length === 1);
    const from = String((await daemonOf(installed)).spec.nodeName);
    await patch(`/api/v1/nodes/${from}`, { spec: { unschedulable: true } });
    const begin = performance.now();
    const { name } = pod.metadata;
    const evicted = await call('POST', `/api/v1/namespaces/${namespace}/pods/${name}/eviction`, {
      apiVersion: 'policy/v1',
      kind: 'Eviction',
      metadata: { name, namespace },
    });
    expect(evicted.status).toBe(201);
    const moved = await eventually('another pod is ready', async () => {
      const found = await readyDaemonOf(installed);
      return found.metadata.uid !== pod.metadata.uid && found;
    });
    process.stderr.write(`unmonitored for ${Math.round(performance.now() - begin)} ms at most\n`);
    await patch(`/api/v1/nodes/${from}`, { spec: { unschedulable: false } });
    expect(moved.spec.nodeName).toBe(nodeNames.find((node) => node !== from));
    simulator.control.setService('GPE', '1', '1', 'Online');
    await eventually('the receiver is notified of the end', async () => notified('resolved').length === 1);
    expect(notified('firing')).toHaveLength(1);
  });

  it('keeps the objects that the guide lists', async () => {
    await installed.apply({ ...values, persistence: { keep: true } });
    await create(`/api/v1/namespaces/${namespace}/secrets`, { metadata: { name: 'mine' } });
    await installed.helm('uninstall', '--wait');
    const ours = (await objectsIn(namespace)).filter((name) => !/ prod-/.test(name));
    expect(ours.toSorted()).toEqual(
      [
        'PersistentVolumeClaim warden-graphwarden',
        'Pod warden-graphwarden-test-configuration',
        'Secret mine',
      ].toSorted(),
    );
  });
});
