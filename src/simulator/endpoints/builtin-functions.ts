import { z } from 'zod';
import { parseJson } from '../../kernel/json.ts';
import type { Endpoint } from '../call.ts';
import { json, restppError } from '../replies.ts';
import { unknownGraph } from './database.ts';

const request = z.object({ function: z.enum(['stat_vertex_number', 'stat_edge_number']), type: z.string() });

/** `POST /restpp/builtins/{graph}`: numbers of vertices and edges. The envelope has no `edition` and no `code`. */
export const builtinFunctions: Endpoint = ({ world, node, path, body }) => {
  const wanted = request.safeParse(parseJson(body));
  if (!wanted.success) return restppError(400, 'REST-30000', 'The payload is not a built-in function.');
  const refusal = unknownGraph(world, path.graph ?? '');
  if (refusal !== undefined) return refusal;
  const isOfVertices = wanted.data.function === 'stat_vertex_number';
  const { vertices, edges } = world.graphCounts();
  const counts = Object.entries(isOfVertices ? vertices : edges).filter(
    ([type]) => wanted.data.type === '*' || wanted.data.type === type,
  );
  const results = counts.map(([type, count]) => (isOfVertices ? { v_type: type, count } : { e_type: type, count }));
  return json({ version: { api: 'v2', schema: world.schemaVersion(node) }, error: false, message: '', results });
};
