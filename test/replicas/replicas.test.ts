import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { systemClock } from '../../src/runtime/clock.ts';
import { systemPorts } from '../../src/runtime/system-ports.ts';
import { type Simulator, startSimulator } from '../../src/simulator/simulator.ts';
import { type Child, eventually } from '../support/child.ts';
import { readJson, send } from '../support/http.ts';
import { temporaryFolder } from '../support/live-ports.ts';
import { hasPgbouncer, startPgbouncer } from '../support/pgbouncer.ts';
import { hasPostgres, type PostgresServer, startPostgres } from '../support/postgres.ts';
import { startProgram } from '../support/program.ts';

const cleanups: (() => Promise<void>)[] = [];
const atEnd = (end: () => Promise<void>): void => void cleanups.push(end);

interface Replica {
  readonly name: string;
  child: Child;
  url(): string;
  start(): Promise<void>;
}

interface ReportedReplica {
  readonly name: string;
  readonly self: boolean;
  readonly live: boolean;
  readonly clusters: readonly string[];
}

/** A receiver that records what each alert of the database does. */
interface Receiver {
  readonly url: string;
  readonly alerts: { readonly alertname: string; readonly status: string; readonly cluster: string }[];
  readonly server: Server;
}

let database: PostgresServer;
let simulators: readonly Simulator[];
let receiver: Receiver;
let replicas: readonly Replica[];

async function startReceiver(): Promise<Receiver> {
  const alerts: { alertname: string; status: string; cluster: string }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => {
      const { alerts: all } = JSON.parse(body) as {
        alerts: { status: string; labels: { alertname: string; cluster_name?: string } }[];
      };
      for (const { status, labels } of all)
        alerts.push({ alertname: labels.alertname, status, cluster: labels.cluster_name ?? '' });
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, alerts, server };
}

async function createReplica(name: string, settings: Readonly<Record<string, unknown>>): Promise<Replica> {
  const folder = join(await temporaryFolder(atEnd), name);
  await mkdir(folder);
  const file = join(folder, 'graphwarden.yml');
  await writeFile(file, stringify({ ...settings, state_dir: join(folder, 'state') }));
  const launch = (): Child => startProgram(['run', '--config', file], { cwd: folder });
  const replica: Replica = {
    name,
    child: launch(),
    url: () => /"url":"(http:[^"]+?)\/?"/.exec(replica.child.stderr())?.[1] ?? '',
    start: async () => {
      replica.child = launch();
      await listening(replica);
    },
  };
  await listening(replica);
  return replica;
}

async function listening(replica: Replica): Promise<void> {
  await eventually(`${replica.name} listens: ${replica.child.stderr()}`, async () => replica.url() !== '');
}

/** A replica that does not run, or is stopped, does not answer: the next attempt of `eventually` requests again. */
function readApi(replica: Replica, path: string): Promise<unknown> {
  return readJson(`${replica.url()}/api/v1/${path}`, { signal: AbortSignal.timeout(5000) });
}

/** The clusters of each live replica, as `replica` sees them. */
async function owners(replica: Replica): Promise<readonly ReportedReplica[]> {
  const { items } = (await readApi(replica, 'replicas')) as { items: readonly ReportedReplica[] };
  return items.filter(({ live }) => live);
}

/** Waits until each replica runs and owns one cluster, as all of them see it. */
async function balanced(): Promise<void> {
  await eventually('each replica owns one cluster', async () => {
    const seen = await Promise.all(replicas.map(owners));
    return seen.every((all) => all.length === 2 && all.every(({ clusters }) => clusters.length === 1));
  }).catch((error: unknown) => {
    throw new Error(replicas.map(({ name, child }) => `${name}: ${child.stderr().slice(-3000)}`).join('\n'), {
      cause: error,
    });
  });
}

async function clustersOf(replica: Replica): Promise<readonly string[]> {
  return (await owners(replica)).find(({ self }) => self)?.clusters ?? [];
}

/** The replica that owns a cluster, and the other one. */
async function ownerOf(cluster: string): Promise<readonly [owner: Replica, other: Replica]> {
  return eventually(`a replica owns ${cluster}`, async () => {
    const [one, other] = replicas;
    if (one === undefined || other === undefined) return undefined;
    const [own, others] = await Promise.all([
      clustersOf(one).catch((): readonly string[] => []),
      clustersOf(other).catch((): readonly string[] => []),
    ]);
    if (own.includes(cluster)) return [one, other] as const;
    return others.includes(cluster) ? ([other, one] as const) : undefined;
  });
}

/** Whether a replica polls a cluster itself: the API has the clusters of all replicas. */
async function polls(replica: Replica, cluster: string): Promise<boolean> {
  const { text } = await send(`${replica.url()}/metrics`);
  return text.split('\n').some((line) => {
    const isOfCluster = line.includes(`cluster_name="${cluster}"`) && line.includes('collector="services"');
    return line.startsWith('graphwarden_collector_success{') && isOfCluster && line.endsWith(' 1');
  });
}

const of = (cluster: string, status: string) =>
  receiver.alerts.filter(
    (one) => one.cluster === cluster && one.status === status && one.alertname !== 'GraphdbQueryAborted',
  );

/** Tests of two daemons whose connections lead to the database directly or through a pooler. */
function replicaTests({ isPooled }: { readonly isPooled: boolean }): void {
  afterAll(async () => {
    for (const end of cleanups.splice(0).toReversed()) await end();
  });

  beforeAll(async () => {
    database = await startPostgres();
    const name = await database.createDatabase();
    simulators = await Promise.all(
      [0, 1].map(() => startSimulator({ nodes: 1 }, { ...systemPorts, clock: systemClock })),
    );
    receiver = await startReceiver();
    const pooler = isPooled ? await startPgbouncer(database) : undefined;
    atEnd(async () => {
      await pooler?.stop();
      for (const simulator of simulators) await simulator.close();
      receiver.server.close();
      await database.remove();
    });
    const clusters = simulators.map(({ nodes }, index) => ({
      name: ['prod', 'test'][index],
      nodes: nodes.map(({ name: node, url, instance }) => ({ name: node, url, instance })),
    }));
    const settings = {
      listen: '127.0.0.1:0',
      state_url: `postgres://tester@127.0.0.1:${pooler?.port ?? database.port}/${name}`,
      clusters,
      collectors: { services: { interval: '2s', timeout: '1s' }, queries: { interval: '2s', timeout: '1s' } },
      alerts: {
        receivers: [{ name: 'hook', webhook: { url: receiver.url } }],
        routes: [{ receivers: ['hook'], group_wait: '0s', group_by: ['alertname', 'cluster_name'] }],
      },
      guard: {
        mode: 'enforce',
        policies: [
          {
            name: 'runaway',
            mode: 'enforce',
            clusters: ['prod', 'test'],
            when: { query: 'endless_*', age: '> 3s' },
            grace: '1s',
          },
        ],
      },
    };
    const first = await createReplica('one', settings);
    const second = await createReplica('two', settings);
    replicas = [first, second];
    atEnd(async () => {
      for (const { child } of replicas) {
        child.kill('SIGCONT');
        await child.stop();
        expect(child.stderr()).not.toMatch(/"level":60|which is a bug|unhandled/i);
      }
    });
  });

  // A test that fails while a process is stopped must not take those after it with it.
  afterEach(() => {
    for (const { child } of replicas) child.kill('SIGCONT');
  });

  it('share the clusters, and both state the owner of each', async () => {
    await balanced();
    const logs = replicas.map(({ child }) => child.stderr()).join('');
    expect(logs).not.toContain('state store unavailable');
  });

  it('notify once of an incident that outlives its owner, and abort a query once', async () => {
    const [owner, other] = await ownerOf('prod');
    const [prod] = simulators;
    prod?.control.startQuery({ node: 'm1', graph: 'fraud', query: 'endless_1', runsFor: 900_000, timeout: 900_000 });
    prod?.control.setInstances('GPE', 'Down');
    await eventually('the outage is notified', async () => of('prod', 'firing').length > 0);
    await eventually('the query is aborted', async () => (prod?.aborts().length ?? 0) > 0, 60_000);
    await eventually('the outage is stored as notified', async () => {
      const rows = await database.sql("SELECT id FROM graphwarden.notifications WHERE result = 'accepted'", 'test_1');
      return rows.length >= of('prod', 'firing').length;
    });
    const before = of('prod', 'firing').length;
    owner.child.kill('SIGKILL');
    await eventually('the other replica polls the cluster', () => polls(other, 'prod'));
    prod?.control.setInstances('GPE', 'Online');
    await eventually('the end is notified', async () => of('prod', 'resolved').length > 0);
    expect(of('prod', 'firing')).toHaveLength(before);
    expect(prod?.aborts()).toHaveLength(1);
    await owner.start();
    await balanced();
  });

  it('do not act after a pause that is longer than a lease', async () => {
    const [owner, other] = await ownerOf('test');
    const [, test] = simulators;
    test?.control.setInstances('GPE', 'Down');
    await eventually('the outage is notified', async () => of('test', 'firing').length > 0);
    const before = of('test', 'firing').length;
    owner.child.kill('SIGSTOP');
    await eventually('the other replica polls the cluster', () => polls(other, 'test'));
    owner.child.kill('SIGCONT');
    await eventually('the paused one notices', async () => owner.child.stderr().includes('leases lost'));
    test?.control.setInstances('GPE', 'Online');
    await eventually('the end is notified', async () => of('test', 'resolved').length > 0);
    expect(of('test', 'firing')).toHaveLength(before);
    await balanced();
  });

  it('hand a cluster over at SIGTERM', async () => {
    const [owner, other] = await ownerOf('prod');
    const ended = owner.child.stop();
    await eventually('the other replica polls the cluster', () => polls(other, 'prod'));
    expect(await ended).toBe(0);
    expect(owner.child.stderr()).toContain('leases released');
    await owner.start();
    await balanced();
  });
}

describe.skipIf(!hasPostgres())('two daemons with one database', () => replicaTests({ isPooled: false }));

describe.skipIf(!hasPostgres() || !hasPgbouncer())(
  'two daemons with one database behind PgBouncer in transaction mode',
  () => replicaTests({ isPooled: true }),
);
