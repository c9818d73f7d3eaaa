import type { Endpoint } from '../call.ts';
import { gsqlError, json } from '../replies.ts';

/** `GET /gsql/v1/schema/graphs[?graphName=…]`: the graphs stand beside the envelope, not in `results`. */
export const graphList: Endpoint = ({ world, query }) => {
  const one = query.get('graphName') ?? query.get('graph');
  if (one !== null && !world.graphs.includes(one)) return gsqlError(404, `Graph '${one}' does not exist.`);
  const graphs = world.graphs
    .filter((name) => one === null || name === one)
    .map((graphName) => ({ graphName, vertices: ['Account', 'Person'], edges: ['knows', 'owns', 'transfers'] }));
  return json({ graphs, error: false, message: '' });
};
