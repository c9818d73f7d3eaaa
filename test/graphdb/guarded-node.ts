import type { AbortRequest } from '../../src/graphdb/abort-reply.ts';
import { type ClientOptions, type NodeConnection, openCluster } from '../../src/graphdb/connect.ts';
import type { GraphDb, RawProcessList } from '../../src/graphdb/graph-db.ts';
import { Secret } from '../../src/kernel/secret.ts';
import type { AuthSettings, ClusterSettings } from '../../src/model/settings.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { openHttpPool } from '../../src/runtime/http-pool.ts';
import { bareCluster } from '../support/client.ts';
import { digest } from '../support/digest.ts';
import { FakeFiles } from '../support/fake-files.ts';

/** Real connection to one node, with the lists that it has received. */
export interface GuardedNode {
  readonly node: NodeConnection;
  readonly received: readonly RawProcessList[];
  /** Target of an abort over the connection of the latest list. */
  readonly target: () => Pick<AbortRequest, 'connection' | 'mayWrite'>;
}

/** Options of a test. */
export interface GuardedOptions extends Partial<Pick<ClientOptions, 'guarded'>> {
  readonly settings?: Partial<ClusterSettings>;
}

/** Opens a guarded connection over real HTTP. The caller closes it. */
export function guardedNode(url: string, { settings = {}, guarded = true }: GuardedOptions = {}): GuardedNode {
  const received: RawProcessList[] = [];
  const options = { bodyLimit: 10_000_000, guarded };
  const ports = {
    openPool: openHttpPool,
    clock: systemClock,
    random: { next: () => 0.5 },
    files: new FakeFiles(),
    digest,
  };
  const node = openCluster({ ...bareCluster, ...settings }, options, ports).node({ name: 'm1', url });
  const processListAll: GraphDb['processListAll'] = async (signal) => {
    const list = await node.db.processListAll(signal);
    if (list.ok) received.push(list.value.raw);
    return list;
  };
  const db = { ...node.db, processListAll };
  const target = () => ({ connection: received.at(-1)?.connection ?? '', mayWrite: () => true });
  return { node: { ...node, db }, received, target };
}

/** A token as credentials. */
export function bearer(token: string): AuthSettings {
  return { kind: 'bearer', token: { value: new Secret(token) } };
}

/** The path of an abort in the graph `fraud`. */
export function pathOf(id: string, graph = 'fraud'): string {
  return `/abortquery/${graph}?requestid=${id}`;
}
