import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Simulator } from '../../src/simulator/simulator.ts';
import { selfSigned } from '../support/certificates.ts';
import { eventually } from '../support/child.ts';
import { call, create, get, type KubeObject, makeNamespace, patch } from '../support/cluster/api.ts';
import { gateway, lossFile, networkPath, onLosableNodes } from '../support/cluster/places.ts';
import { atEndOfFile } from '../support/live-ports.ts';
import { configure, type PostgresServer, startPostgres } from '../support/postgres.ts';
import { requireTool } from '../support/tools.ts';
import { createDatabase, databaseLabels, podOf } from './database.ts';
import {
  daemonOf,
  daemonsOf,
  isReady,
  loginOf,
  page,
  podsOf,
  type Release,
  readyDaemonOf,
  release,
  restartsOf,
} from './release.ts';

const impatient = ['unreachable', 'not-ready'].map((taint) => ({
  key: `node.kubernetes.io/${taint}`,
  operator: 'Exists',
  effect: 'NoExecute',
  tolerationSeconds: 2,
}));
const tolerations = [...onLosableNodes.tolerations, ...impatient];
const values = {
  clusters: [{ name: 'prod', podLabels: databaseLabels }],
  nodeSelector: onLosableNodes.nodeSelector,
  tolerations,
  podMonitor: { enabled: true },
  config: { collectors: { health: { interval: '1s', timeout: '1s' } } },
};
const one = release('one', 'loss-one');
const two = release('two', 'loss-two');
let postgres: PostgresServer;
let simulators: { readonly one: Simulator; readonly two: Simulator };

function lose(node: string, how: 'host' | 'kubelet'): void {
  writeFileSync(lossFile(node), how);
}

function recover(node: string): void {
  rmSync(lossFile(node));
}

/** PostgreSQL outside of Kubernetes, with TLS and a password. */
async function startServer(): Promise<PostgresServer> {
  const server = await startPostgres([`listen_addresses=127.0.0.1,${gateway}`]);
  const { cert, key } = selfSigned('localhost');
  await configure(server, 'server.crt', cert);
  await configure(server, 'server.key', key);
  await server.sql('ALTER SYSTEM SET ssl = on');
  await configure(
    server,
    'pg_hba.conf',
    'host all tester 127.0.0.1/32 trust\nhostssl all graphwarden 10.244.0.0/16 scram-sha-256\n',
  );
  await server.sql("CREATE ROLE graphwarden LOGIN PASSWORD 'p a&s/s'");
  await server.sql('CREATE DATABASE graphwarden OWNER graphwarden');
  const secret = (name: string, stringData: object): Promise<KubeObject> =>
    create(`/api/v1/namespaces/${two.namespace}/secrets`, { metadata: { name }, stringData });
  await secret('graphwarden-postgres', { password: 'p a&s/s' });
  await secret('postgres-ca', { 'ca.crt': cert });
  return server;
}

/** Values for two daemons with their state in PostgreSQL, whose network policy allows what they need. */
function replicaValues(podAnnotations: object = {}): object {
  return {
    ...values,
    podAnnotations,
    replicaCount: 2,
    state: {
      postgres: {
        existingSecret: 'graphwarden-postgres',
        hosts: [`${gateway}:${postgres.port}`],
        tls: { existingSecret: 'postgres-ca', serverName: 'localhost' },
      },
    },
    networkPolicy: {
      restrictEgress: true,
      extraEgress: [
        { to: [{ ipBlock: { cidr: `${gateway}/32` } }], ports: [{ port: postgres.port, protocol: 'TCP' }] },
      ],
    },
  };
}

/** The pods of both replicas, each ready. */
async function readyReplicas(): Promise<readonly KubeObject[]> {
  return eventually('both replicas are ready', async () => {
    const pods = await daemonsOf(two);
    return pods.length === 2 && pods.every(isReady) && pods;
  });
}

/** The pods that own the cluster. */
async function ownersOf(installed: Release): Promise<readonly KubeObject[]> {
  const login = await loginOf(installed, 'prometheus');
  const pods = await daemonsOf(installed);
  const own = await Promise.all(
    pods.map(async (pod) => {
      const text = await page(pod, '/metrics', login).then(
        (reply) => reply.text,
        () => '',
      );
      return /^graphwarden_cluster_owner\{[^}]*\} 1$/m.test(text) ? [pod] : [];
    }),
  );
  return own.flat();
}

async function ownerOf(): Promise<KubeObject> {
  return eventually('one replica owns the cluster', async () => {
    const owners = await ownersOf(two);
    return owners.length === 1 && owners[0];
  });
}

/** Asks for the eviction of a pod, as a drain does, and returns the status of the answer. */
async function evict({ metadata: { name, namespace } }: KubeObject): Promise<number> {
  const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace } };
  return (await call('POST', `/api/v1/namespaces/${namespace}/pods/${name}/eviction`, body)).status;
}

/** A pod with these labels that does nothing. */
async function createClient(namespace: string, labels: object): Promise<KubeObject> {
  await create(`/api/v1/namespaces/${namespace}/pods`, {
    metadata: { name: 'client', labels },
    spec: { ...podOf('setInterval(() => undefined, 1000)'), ...onLosableNodes },
  });
  return eventually('the client runs', async () => {
    const pod = await get(`/api/v1/namespaces/${namespace}/pods/client`);
    return pod.status.phase === 'Running' && pod;
  });
}

/** Whether a pod can connect: a filter drops what it does not let through. */
async function reaches(
  pod: KubeObject,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<boolean> {
  const code = `require('node:net').connect(${port}, '${host}').on('connect', () => process.exit(0)).on('error', () => process.exit(1)).setTimeout(1500, () => process.exit(2))`;
  const args = [`--net=${networkPath(pod.metadata.uid)}`, process.execPath, '-e', code];
  return new Promise((resolve) => {
    execFile(requireTool('nsenter'), args, (error) => resolve(error === null));
  });
}

/** The longest time without a request to the database since a moment. */
function longestGap(simulator: Simulator, since: number): number {
  const times = [since, ...simulator.calls().flatMap(({ at }) => (at > since ? [at] : [])), Date.now()];
  return Math.max(...times.slice(1).map((at, index) => at - (times[index] ?? at)));
}

function say(what: string, ms: number): void {
  process.stderr.write(`${what}: ${(ms / 1000).toFixed(1)} s without a request to the database\n`);
}

const atEnd = atEndOfFile();

beforeAll(async () => {
  await makeNamespace(one.namespace);
  await makeNamespace(two.namespace);
  postgres = await startServer();
  atEnd(() => postgres.remove());
  simulators = {
    one: await createDatabase(one.namespace, 15_020, { ...onLosableNodes, tolerations }),
    two: await createDatabase(two.namespace, 15_030, { ...onLosableNodes, tolerations }),
  };
});

describe('two daemons with their state in PostgreSQL', () => {
  it('are installed on different nodes, and one of them owns the cluster', async () => {
    await Promise.all([one.apply(values), two.apply(replicaValues())]);
    const pods = await readyReplicas();
    expect(new Set(pods.map(({ spec }) => spec.nodeName)).size).toBe(2);
    await ownerOf();
  });

  it('are replaced one after the other, while one of them monitors', async () => {
    const before = (await readyReplicas()).map(({ metadata }) => metadata.uid);
    const since = Date.now();
    await two.apply(replicaValues({ again: 'yes' }));
    await eventually('all pods are new', async () => {
      const pods = await daemonsOf(two);
      expect(pods.some(isReady)).toBe(true);
      return pods.length === 2 && pods.every((pod) => isReady(pod) && !before.includes(pod.metadata.uid));
    });
    await ownerOf();
    say('rolling update', longestGap(simulators.two, since));
  });

  it('are not drained at the same time, by their PodDisruptionBudget', async () => {
    const pods = await readyReplicas();
    const [first, second] = pods;
    if (first === undefined || second === undefined) expect.fail('there are two');
    await eventually('the budget knows both pods', async () => {
      const { status } = await get(`/apis/policy/v1/namespaces/${two.namespace}/poddisruptionbudgets/two-graphwarden`);
      return status.disruptionsAllowed === 1;
    });
    const node = `/api/v1/nodes/${String(first.spec.nodeName)}`;
    await patch(node, { spec: { unschedulable: true } });
    const since = Date.now();
    expect([await evict(first), await evict(second)]).toEqual([201, 429]);
    const now = await eventually('another pod is ready', async () => {
      const found = await readyReplicas();
      return found.every(({ metadata }) => metadata.uid !== first.metadata.uid) && found;
    });
    expect(now.map(({ metadata }) => metadata.uid)).toContain(second.metadata.uid);
    await ownerOf();
    say('drain', longestGap(simulators.two, since));
    await patch(node, { spec: { unschedulable: false } });
    // Both are on one node now; the next one that is evicted goes back to the other.
    await eventually('the second one may be evicted', async () => (await evict(second)) === 201);
    await eventually('the replicas are on both nodes again', async () => {
      const found = await readyReplicas();
      return new Set(found.map(({ spec }) => spec.nodeName)).size === 2;
    });
  });

  it('accept connections of Prometheus and each other only, and connect only to targets of the network policy', async () => {
    const [first, second] = await readyReplicas();
    const stranger = await daemonOf(one);
    const [ownNode] = await podsOf(two.namespace, `app=${databaseLabels.app}`);
    const [otherNode] = await podsOf(one.namespace, `app=${databaseLabels.app}`);
    if (first === undefined || second === undefined || ownNode === undefined || otherNode === undefined)
      expect.fail('there is a pod of each');
    const prometheus = await createClient(one.namespace, { 'app.kubernetes.io/name': 'prometheus' });
    const daemon = { host: String(first.status.podIP), port: 9916 };
    // A filter follows the pods within a second.
    await eventually('Prometheus reaches a daemon', () => reaches(prometheus, daemon));
    expect(await reaches(second, daemon)).toBe(true);
    expect(await reaches(stranger, daemon)).toBe(false);
    expect(await reaches(ownNode, daemon)).toBe(false);
    const port = 14_240;
    expect(await reaches(first, { host: String(ownNode.status.podIP), port })).toBe(true);
    expect(await reaches(first, { host: gateway, port: postgres.port })).toBe(true);
    expect(await reaches(first, { host: String(otherNode.status.podIP), port })).toBe(false);
    expect(await reaches(first, { host: gateway, port: 15_020 })).toBe(false);
    expect(await reaches(stranger, { host: gateway, port: 15_020 })).toBe(true);
  });
});

describe('the loss of a node', () => {
  it('moves the daemon and replaces the replica, as soon as their toleration ends', async () => {
    const before = await readyDaemonOf(one);
    const lost = String(before.spec.nodeName);
    const since = Date.now();
    lose(lost, 'host');
    const moved = await eventually('the daemon is ready on the other node', async () => {
      const pod = await daemonOf(one);
      return pod.metadata.uid !== before.metadata.uid && isReady(pod) && pod;
    });
    expect(moved.spec.nodeName).not.toBe(lost);
    say('loss of a host, one daemon', longestGap(simulators.one, since));
    const replicas = await readyReplicas();
    expect(replicas.map(({ spec }) => spec.nodeName)).not.toContain(lost);
    await ownerOf();
    say('loss of a host, two daemons', longestGap(simulators.two, since));
    recover(lost);
    await eventually('the pods of the database are back', async () => {
      const pods = await podsOf(one.namespace, `app=${databaseLabels.app}`);
      return pods.length === 3 && pods.every(isReady);
    });
    await eventually(
      'the lost pods are gone',
      async () => (await podsOf(one.namespace, 'app.kubernetes.io/instance=one')).length === 1,
    );
  });

  it('never has two daemons with one state, while only the kubelet is lost', async () => {
    const before = await readyDaemonOf(one);
    const lost = String(before.spec.nodeName);
    lose(lost, 'kubelet');
    const second = await eventually('a second pod tries to start', async () => {
      const pod = await daemonOf(one);
      return pod.metadata.uid !== before.metadata.uid && restartsOf(pod) > 0 && pod;
    });
    expect(isReady(second)).toBe(false);
    const login = await loginOf(one, 'prometheus');
    expect((await page(before, '/metrics', login)).status).toBe(200);
    recover(lost);
    await eventually('the second pod is ready', async () => isReady(await daemonOf(one)));
    await expect(page(before, '/metrics', login)).rejects.toThrow();
  });
});
