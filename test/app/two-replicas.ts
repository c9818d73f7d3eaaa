import { assembleApp } from '../../src/app/assemble.ts';
import type { App } from '../../src/app/ports/app-ports.ts';
import type { Config } from '../../src/config/config.ts';
import { type Ownership, type OwnershipView, selfCluster, soleOwnership } from '../../src/kernel/ownership.ts';
import type { PeerReply, PeerRequest, Peers } from '../../src/kernel/peers.ts';
import { err, ok } from '../../src/kernel/result.ts';
import { sendRequest, testbed } from './fakes.ts';

/** Application of one replica. */
export interface TestReplica extends ReturnType<typeof testbed> {
  readonly app: App;
  /** Requests that it sent to the other one. */
  readonly sent: PeerRequest[];
}

/** Parts that a test overrides. */
interface Wire {
  /** Why the replicas do not reach each other; undefined if they do. */
  problem?: string;
  /** Answer to all requests instead of that of the other replica. */
  answer?: PeerReply;
  /** Owner of each cluster. */
  owners: Record<string, string>;
}

const about = {
  version: '1.0.0',
  configHash: 'h',
  settingsHash: 's',
  startedAt: 0,
  seenAt: 0,
  isLive: true,
  clusters: 1,
};

/** Starts the replicas `a` and `b`; `a` owns what `owners` does not name. They reach each other through their handlers. */
export async function startTwoReplicas(config: Config, owners: Readonly<Record<string, string>>) {
  const wire: Wire = { owners: { ...owners } };
  const ownerOf = (cluster: string) => wire.owners[cluster] ?? 'a';
  const replicas = new Map<string, TestReplica>();
  const view = (self: string): OwnershipView => ({
    ...soleOwnership.view(),
    answeredAt: 0,
    replicas: ['a', 'b'].map((id) => {
      return { ...about, id, name: `host-${id}`, url: `http://${id}:9916`, isSelf: id === self };
    }),
    owners: [selfCluster, ...config.clusters.map(({ name }) => name)].map((cluster) => {
      const owner = ownerOf(cluster);
      return { cluster, owner: owner === '' ? undefined : owner, epoch: 1, since: 0 };
    }),
  });
  const start = async (id: string): Promise<TestReplica> => {
    const bed = testbed();
    const sent: PeerRequest[] = [];
    const ownership: Ownership = {
      ...soleOwnership,
      isShared: true,
      owns: (cluster) => ownerOf(cluster) === id,
      remaining: (cluster) => (ownerOf(cluster) === id ? Number.POSITIVE_INFINITY : 0),
      subscribe: (listener) => void Promise.resolve().then(() => listener.onOwnershipChange()),
      view: () => view(id),
    };
    const other = id === 'a' ? 'b' : 'a';
    const peers: Peers = {
      live: () => [{ id: other, name: `host-${other}`, url: `http://${other}:9916` }],
      request: async (to, request) => {
        sent.push(request);
        const peer = replicas.get(to);
        if (wire.problem !== undefined || peer === undefined) return err(wire.problem ?? 'it does not run');
        if (wire.answer !== undefined) return ok(wire.answer);
        const { method, path, user = '', operator, body = '' } = request;
        const text = async () => body;
        const identity = { user, ...(operator !== undefined && { operator }) };
        const { user: _, ...anonymous } = identity;
        const reply = await sendRequest(peer.app.peerHandler, path, {
          method,
          text,
          headers: { 'content-type': 'application/json' },
          remoteAddress: '127.0.0.1',
          replica: id,
          ...(user === '' ? anonymous : identity),
        });
        return ok({ status: reply.status, body: reply.body });
      },
    };
    const app = assembleApp(config, { ...bed.ports, ownership, peers }, bed.parts);
    const replica = { ...bed, app, sent };
    replicas.set(id, replica);
    await app.start();
    await bed.clock.advance(2000);
    return replica;
  };
  return { a: await start('a'), b: await start('b'), wire };
}
