import type { Endpoint } from '../call.ts';
import { gsqlError, json } from '../replies.ts';

/** `GET /gsql/v1/stats/cardinality?graph=…`: the numbers of vertices and edges when the world began, which were stored then. */
export const cardinality: Endpoint = ({ world, query }) => {
  const graph = query.get('graph') ?? '';
  if (!world.graphs.includes(graph)) return gsqlError(404, `Graph '${graph}' does not exist.`);
  const { vertices, edges } = world.storedCounts();
  return json({ error: false, message: '', results: { vertex_counts: rows(vertices), edge_counts: rows(edges) } });
};

function rows(counts: Readonly<Record<string, number>>) {
  return Object.entries(counts).map(([type, count]) => ({ type, count }));
}
