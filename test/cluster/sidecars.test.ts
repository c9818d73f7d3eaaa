import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { eventually } from '../support/child.ts';
import { create, get, type KubeObject, makeNamespace, patch } from '../support/cluster/api.ts';
import { createDatabase, databaseLabels } from './database.ts';
import { isReady, loginOf, logOf, objectsIn, page, podsOf, readyDaemonOf, release, restartsOf } from './release.ts';

const namespace = 'sidecars';
const installed = release('warden', namespace);
const set = `/apis/apps/v1/namespaces/${namespace}/statefulsets/prod`;
const values = {
  mode: 'sidecar',
  clusters: [{ name: 'prod', podLabels: databaseLabels }],
  podMonitor: { enabled: true },
  serviceMonitor: { enabled: true },
  service: { enabled: true },
  sidecar: { config: { collectors: { health: { interval: '1s', timeout: '1s' } } } },
};

function withSidecar(config: object): object {
  return { ...values, sidecar: { config } };
}

async function databasePods(): Promise<readonly KubeObject[]> {
  return podsOf(namespace, `app=${databaseLabels.app}`);
}

/** Waits until each of the three pods of the database runs the current revision and is ready. */
async function untilRolledOut(): Promise<readonly KubeObject[]> {
  return eventually('the StatefulSet is rolled out', async () => {
    const { status } = await get(set);
    const pods = await databasePods();
    const isDone = status.updateRevision === status.currentRevision && status.readyReplicas === 3;
    return isDone && pods.length === 3 && pods.every(isReady) && pods;
  });
}

async function untilEachSays(pods: readonly KubeObject[], wanted: RegExp): Promise<void> {
  const login = await loginOf(installed, 'prometheus');
  await Promise.all(
    pods.map((pod) =>
      eventually(`${pod.metadata.name} says ${wanted}`, async () => {
        const { status, text } = await page(pod, '/metrics', login);
        return status === 200 && wanted.test(text);
      }),
    ),
  );
}

beforeAll(async () => {
  await makeNamespace(namespace);
  await createDatabase(namespace, 15_010);
});

describe('sidecars', () => {
  let pods: readonly KubeObject[];

  it('are rolled out with the fragment of the chart, and each monitors its own node', async () => {
    const plain = await untilRolledOut();
    await installed.apply(values);
    await readyDaemonOf(installed);
    expect((await databasePods()).map(({ metadata }) => metadata.uid)).toEqual(
      plain.map(({ metadata }) => metadata.uid),
    );
    const { data } = await get(`/api/v1/namespaces/${namespace}/configmaps/warden-graphwarden-prod-fragments`);
    await patch(set, parse(data['statefulset.yaml'] ?? ''), 'strategic');
    await eventually('the rollout begins', async () => {
      const { status } = await get(set);
      return status.updateRevision !== status.currentRevision;
    });
    pods = await untilRolledOut();
    await Promise.all(pods.map((pod) => untilEachSays([pod], new RegExp(`node="${pod.metadata.name}"`))));
  });

  it('pass helm test', async () => {
    expect(await installed.helm('test')).toContain('Succeeded');
  });

  it('load a changed configuration, and keep theirs when the new one is rejected', async () => {
    await installed.apply(withSidecar({ collectors: { health: { interval: '2s', timeout: '5s' } } }));
    await untilEachSays(pods, /^graphwarden_config_last_reload_successful 0$/m);
    const [first] = pods;
    if (first === undefined) expect.fail('there is no pod');
    expect(await logOf(first, 'graphwarden')).toContain('must not be longer than the interval');
    expect((await databasePods()).every(isReady)).toBe(true);
    await installed.helm('rollback');
    await untilEachSays(pods, /^graphwarden_config_last_reload_successful 1$/m);
    const now = await databasePods();
    expect(now.map(({ metadata }) => metadata.uid)).toEqual(pods.map(({ metadata }) => metadata.uid));
    expect(now.map(restartsOf)).toEqual([0, 0, 0]);
  });

  it('are rolled out again with the database, which stays ready without the release', async () => {
    await patch(set, { spec: { template: { metadata: { annotations: { again: 'yes' } } } } });
    await eventually('the rollout begins', async () => {
      const { status } = await get(set);
      return status.updateRevision !== status.currentRevision;
    });
    const rolled = await untilRolledOut();
    await untilEachSays(rolled, /^graphwarden_config_last_reload_successful 1$/m);
    await create(`/api/v1/namespaces/${namespace}/secrets`, { metadata: { name: 'mine' } });
    await installed.helm('uninstall', '--wait');
    const left = (await objectsIn(namespace)).filter((name) => !/ prod-/.test(name));
    expect(left.toSorted()).toEqual(['Pod warden-graphwarden-test-configuration', 'Secret mine']);
    expect((await databasePods()).every(isReady)).toBe(true);
    expect((await databasePods()).map(restartsOf)).toEqual([0, 0, 0]);
  });
});
