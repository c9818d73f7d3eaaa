import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { DatabaseProxy } from '../../campaigns/failover/database-proxy.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { systemPorts } from '../../src/runtime/system-ports.ts';
import { type Simulator, startSimulator } from '../../src/simulator/simulator.ts';
import { type Child, eventually } from '../support/child.ts';
import { readJson, send } from '../support/http.ts';
import { atEndOfFile, temporaryFolder } from '../support/live-ports.ts';
import { hasPostgres, type PostgresServer, startPostgres } from '../support/postgres.ts';
import { startProgram } from '../support/program.ts';

const names = ['prod', 'test'] as const;
const atEnd = atEndOfFile();

interface Replica {
  readonly child: Child;
  readonly proxy: DatabaseProxy;
}

interface Notification {
  readonly status: string;
  readonly labels: { readonly alertname: string; readonly cluster_name?: string };
}

let database: PostgresServer;
let simulators: readonly Simulator[];
let replicas: readonly Replica[] = [];
const received: Notification[] = [];

const urlOf = ({ child }: Replica): string => /"url":"(http:[^"]+?)\/?"/.exec(child.stderr())?.[1] ?? '';
const logged = ({ child }: Replica, message: string): boolean => child.stderr().includes(message);

/** Notifications of the outage of a cluster. */
function about(cluster: string, status: string): readonly Notification[] {
  return received.filter(({ labels, ...one }) => {
    return one.status === status && labels.cluster_name === cluster && labels.alertname !== 'GraphdbQueryAborted';
  });
}

async function startReceiver(): Promise<string> {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => {
      received.push(...(JSON.parse(body) as { readonly alerts: readonly Notification[] }).alerts);
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(async () => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

async function startReplica(name: string, settings: Readonly<Record<string, unknown>>): Promise<Replica> {
  const proxy = await DatabaseProxy.open(database.port, '127.0.0.1');
  const folder = join(await temporaryFolder(atEnd), name);
  await mkdir(folder);
  const file = join(folder, 'graphwarden.yml');
  const state = { state_url: `postgres://tester@127.0.0.1:${proxy.port}/test_1`, state_dir: join(folder, 'state') };
  await writeFile(file, stringify({ ...settings, ...state }));
  const replica = { child: startProgram(['run', '--config', file], { cwd: folder }), proxy };
  atEnd(async () => {
    await replica.child.stop();
    expect(replica.child.stderr()).not.toMatch(/"level":60|which is a bug|unhandled/i);
  });
  await eventually(`${name} listens`, async () => urlOf(replica) !== '');
  return replica;
}

/** Whether a replica polls a cluster: its own page has the metrics of the nodes. */
async function polls(replica: Replica, cluster: string): Promise<boolean> {
  const { text } = await send(`${urlOf(replica)}/metrics`, { signal: AbortSignal.timeout(5000) });
  return text.includes(`graphdb_up{cluster_name="${cluster}"`);
}

/** Whether a replica states that the database is away, or that it is not. */
async function states(replica: Replica, isAway: boolean): Promise<boolean> {
  const { text } = await send(`${urlOf(replica)}/metrics`, { signal: AbortSignal.timeout(5000) });
  const { databaseAway } = (await readJson(`${urlOf(replica)}/api/v1/replicas`)) as { readonly databaseAway: boolean };
  return databaseAway === isAway && text.includes(`\ngraphwarden_state_durable ${isAway ? 0 : 1}\n`);
}

/** Waits until each replica polls one cluster, and returns the one that polls `cluster`, and the other one. */
async function shared(cluster: string): Promise<readonly [owner: Replica, other: Replica]> {
  return eventually(
    `each replica polls one cluster: ${replicas.map(({ child }) => child.stderr()).join('\n')}`,
    async () => {
      const [one, other] = replicas;
      if (one === undefined || other === undefined) return undefined;
      const found = await Promise.all(
        replicas.map((replica) => Promise.all(names.map((name) => polls(replica, name)))),
      );
      if (found.some((own) => own.filter(Boolean).length !== 1)) return undefined;
      return found[0]?.[names.indexOf(cluster as 'prod')] === true ? ([one, other] as const) : ([other, one] as const);
    },
  );
}

describe.skipIf(!hasPostgres())('two daemons without their database', () => {
  beforeAll(async () => {
    database = await startPostgres();
    atEnd(() => database.remove());
    await database.createDatabase();
    simulators = await Promise.all(
      names.map(() => startSimulator({ nodes: 1 }, { ...systemPorts, clock: systemClock })),
    );
    atEnd(() => Promise.all(simulators.map((one) => one.close())));
    const clusters = simulators.map(({ nodes }, index) => {
      return { name: names[index], nodes: nodes.map(({ name, url, instance }) => ({ name, url, instance })) };
    });
    const often = { interval: '2s', timeout: '1s' };
    const policy = { name: 'runaway', mode: 'enforce', when: { query: 'endless_*', age: '> 3s' }, grace: '1s' };
    const settings = {
      listen: '127.0.0.1:0',
      clusters,
      collectors: { services: often, queries: often },
      alerts: {
        receivers: [{ name: 'hook', webhook: { url: await startReceiver() } }],
        routes: [{ receivers: ['hook'], group_wait: '0s', group_by: ['alertname', 'cluster_name'] }],
      },
      guard: { mode: 'enforce', policies: [{ ...policy, clusters: [...names] }] },
    };
    replicas = [await startReplica('one', settings), await startReplica('two', settings)];
  });

  it('for one of them: the other one takes over the cluster, and is its only poller', async () => {
    const [owner, other] = await shared('prod');
    const [prod] = simulators;
    owner.proxy.setMode('cut');
    await eventually('the other one polls the cluster', () => polls(other, 'prod'));
    await eventually('the cut-off one drops it', async () => !(await polls(owner, 'prod')));
    expect(logged(owner, 'leases lost, the clusters have another owner')).toBe(true);
    expect(logged(owner, 'notifications continue from memory')).toBe(false);
    prod?.control.setInstances('GPE', 'Down');
    await eventually('the outage is notified', async () => about('prod', 'firing').length > 0);
    const alerts = about('prod', 'firing').length;
    owner.proxy.setMode('forward');
    await shared('prod');
    prod?.control.setInstances('GPE', 'Online');
    await eventually('the end is notified', async () => about('prod', 'resolved').length >= alerts);
    const perAlert = new Set(about('prod', 'firing').map(({ labels }) => labels.alertname));
    expect(about('prod', 'firing')).toHaveLength(perAlert.size);
  });

  it('for both: an outage is notified once from memory, no query is aborted, and no notification is lost or repeated', async () => {
    const [owner, other] = await shared('test');
    const [, test] = simulators;
    await database.stop();
    for (const replica of replicas) {
      const message = 'database unavailable for all replicas, sending notifications from memory';
      await eventually('each replica knows that the database is away for both', async () => logged(replica, message));
    }
    test?.control.startQuery({ node: 'm1', graph: 'fraud', query: 'endless_1', runsFor: 900_000, timeout: 900_000 });
    test?.control.setInstances('GPE', 'Down');
    await eventually('the outage is notified without the database', async () => about('test', 'firing').length > 0);
    await eventually('the guard does not abort without the database', async () => {
      const page = await readJson(`${urlOf(owner)}/api/v1/queries?cluster=test`, { signal: AbortSignal.timeout(5000) });
      return JSON.stringify(page).includes('endless_1');
    });
    expect(test?.aborts()).toEqual([]);
    for (const replica of replicas) await eventually('each replica states the outage', () => states(replica, true));
    const alerts = about('test', 'firing').length;

    await database.start();
    await eventually('the query is aborted', async () => (test?.aborts().length ?? 0) > 0, 60_000);
    await eventually('the notifications are stored', async () => {
      const rows = await database.sql(
        "SELECT id FROM graphwarden.notifications WHERE result = 'accepted' AND action = 'trigger' AND cluster = 'test'",
        'test_1',
      );
      return rows.length >= alerts;
    });
    expect(about('test', 'firing')).toHaveLength(alerts);
    for (const replica of replicas) await eventually('each replica states its end', () => states(replica, false));

    // The next owner continues with the incidents that were notified from memory.
    owner.child.kill('SIGKILL');
    await eventually('the other one polls the cluster', () => polls(other, 'test'), 60_000);
    test?.control.setInstances('GPE', 'Online');
    await eventually('the end is notified', async () => about('test', 'resolved').length >= alerts);
    expect(about('test', 'firing')).toHaveLength(alerts);
    expect(test?.aborts()).toHaveLength(1);
  });
});
