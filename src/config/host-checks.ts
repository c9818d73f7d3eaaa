import { z } from 'zod';
import type { Finding, KeyPath } from '../model/problem.ts';

const clause = z.looseObject({}).optional().catch(undefined);
const clauses = z.array(clause).optional().catch(undefined);
const gateView = z.looseObject({ any: clauses, all: clauses });
const node = z.looseObject({ host_id: z.unknown().optional() }).optional().catch(undefined);

/** What is looked at of a cluster; nodes that are discovered have no host. */
export const hostsView = z.array(node).optional().catch(undefined);

type HostsView = z.infer<typeof hostsView>;

/** Which readings are of hosts: a node has them where it is said which one it is on. */
const ofHosts: readonly string[] = ['node_memory', 'node_cpu'];

/** Finds a gate that opens on no node of a cluster, since nobody knows which hosts they are on. */
export function checkHosts(
  path: KeyPath,
  gate: unknown,
  { nodes, at }: { readonly nodes: HostsView; readonly at: number },
): readonly Finding[] {
  const read = gateView.safeParse(gate);
  if (!read.success || nodes?.some((one) => one === undefined || one.host_id !== undefined)) return [];
  const isOfHosts = (one: z.infer<typeof clause>) => ofHosts.some((source) => one?.[source] !== undefined);
  const { any = [], all = [] } = read.data;
  if (!all.some(isOfHosts) && (any.length === 0 || !any.every(isOfHosts))) return [];
  const message = `never opens: no node of clusters[${at}] has a host_id`;
  return [{ path, message, hint: 'list its nodes with the names that the server uses for their hosts' }];
}
