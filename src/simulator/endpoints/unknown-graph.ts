import { type Reply, restppError } from '../replies.ts';
import type { World } from '../world/world.ts';

/** The refusal for a graph that does not exist; undefined for one that does. The status is assumed, the code documented. */
export function unknownGraph(world: World, graph: string): Reply | undefined {
  if (world.graphs.includes(graph)) return undefined;
  return restppError(404, 'REST-1004', `Graph name '${graph}' cannot be found.`);
}
