import { type ClientOptions, type NodeConnection, openCluster } from '../../src/graphdb/connect.ts';
import type { HeardList } from '../../src/graphdb/overheard.ts';
import { Secret } from '../../src/kernel/secret.ts';
import type { AuthSettings, ClusterSettings } from '../../src/model/settings.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { openHttpPool } from '../../src/runtime/http-pool.ts';
import { bareCluster } from '../support/client.ts';
import { FakeFiles } from '../support/fake-files.ts';

/** A real way to one node, and the lists that were heard over it. */
export interface GuardedNode {
  readonly node: NodeConnection;
  readonly heard: readonly HeardList[];
  /** Where the latest list came from. */
  readonly address: () => string;
}

/** What a test may want to vary. */
export interface GuardedOptions extends Partial<Pick<ClientOptions, 'guarded'>> {
  readonly settings?: Partial<ClusterSettings>;
}

/** Opens a guarded connection over real HTTP; whoever opens it closes it. */
export function guardedNode(url: string, { settings = {}, guarded = true }: GuardedOptions = {}): GuardedNode {
  const heard: HeardList[] = [];
  const options = { bodyLimit: 10_000_000, heard: (list: HeardList) => void heard.push(list), guarded };
  const ports = { openPool: openHttpPool, clock: systemClock, random: { next: () => 0.5 }, files: new FakeFiles() };
  const node = openCluster({ ...bareCluster, ...settings }, options, ports).node({ name: 'm1', url });
  return { node, heard, address: () => heard.at(-1)?.address ?? '' };
}

/** A token as credentials. */
export function bearer(token: string): AuthSettings {
  return { kind: 'bearer', token: { value: new Secret(token) } };
}

/** The path of an abort in the graph `fraud`. */
export function pathOf(id: string, graph = 'fraud'): string {
  return `/abortquery/${graph}?requestid=${id}`;
}
