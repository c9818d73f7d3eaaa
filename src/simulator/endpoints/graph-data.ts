import type { Endpoint, EndpointCall } from '../call.ts';
import { gsqlError, json, type Reply, restppError, restppResults } from '../replies.ts';
import { unknownGraph } from './database.ts';

/** Edge type of every simulated edge. */
const edgeType = 'transfers';

/** `GET /restpp/graph/{graph}/vertices/{type}/{id}`: any id of a known type exists, except those of the heartbeat. */
export const readVertex: Endpoint = (call) => {
  const { world, node, path } = call;
  const { graph = '', type = '' } = path;
  const id = decodeURIComponent(path.id ?? '');
  const refused = unknownGraph(world, graph);
  if (refused !== undefined) return refused;
  if (type === 'graphwarden_heartbeat') {
    const writtenAt = world.heartbeatRows.read(id, node.host.name, world.now);
    const found = { v_id: id, v_type: type, attributes: { id, written_at: writtenAt } };
    return writtenAt === undefined ? noVertex() : restppResults([found]);
  }
  return Object.hasOwn(world.graphCounts().vertices, type) && !id.startsWith('missing')
    ? vertices([{ type, id }], call)
    : noVertex();
};

/** The server answers a read of an unknown vertex with an error in a response that succeeds. */
function noVertex(): Reply {
  return restppError(200, 'REST-60100', 'The input vertex id is not a valid vertex id of this type.');
}

function vertices(found: readonly Vertex[], { world }: EndpointCall): Reply {
  return restppResults(found.map((one) => vertexOf(one, world.now)));
}

interface Vertex {
  readonly type: string;
  readonly id: string;
}

function vertexOf({ type, id }: Vertex, now: number): object {
  return { v_id: id, v_type: type, attributes: { updated_at: Math.floor(now / 1000) - 42 } };
}

/** `DELETE /restpp/graph/{graph}/vertices/{type}/{id}`: deletes rows of the heartbeat only. */
export const deleteVertex: Endpoint = ({ world, path }) => {
  const { graph = '', type = '', id = '' } = path;
  const refused = unknownGraph(world, graph);
  if (refused !== undefined) return refused;
  if (type !== 'graphwarden_heartbeat') return restppError(403, 'REST-10018', 'The privilege DELETE_DATA is missing.');
  return restppResults({ v_type: type, deleted_vertices: world.heartbeatRows.delete(id) });
};

/** `POST /restpp/ddl/{graph}`: the loading job of the heartbeat loads one row; there is no other job. */
export const loadRows: Endpoint = ({ world, path, query, body }) => {
  const refused = unknownGraph(world, path.graph ?? '');
  if (refused !== undefined) return refused;
  if (query.get('tag') !== 'graphwarden_heartbeat' || query.get('filename') !== 'heartbeat') {
    return restppError(400, 'REST-30200', 'The loading job does not exist.');
  }
  const [id = '', writtenAt = ''] = body.trim().split(query.get('sep') ?? ',');
  const isValid = id !== '' && /^\d+$/.test(writtenAt);
  if (isValid) world.heartbeatRows.load(id, { at: world.now, writtenAt: Number(writtenAt) });
  const vertex = [{ typeName: 'graphwarden_heartbeat', ...(isValid ? { validObject: 1 } : { invalidAttribute: 1 }) }];
  const counts = isValid ? { validLine: 1 } : { rejectLine: 1 };
  return restppResults([
    { sourceFileName: 'Online_POST', statistics: { ...counts, vertex, edge: [], deleteVertex: [], deleteEdge: [] } },
  ]);
};

/** `GET /restpp/graph/{graph}/edges/{type}/{id}[/{edge}[/{targetType}[/{target}]]]`: each vertex has three edges. */
export const readEdges: Endpoint = ({ world, path, query }) => {
  const { graph = '', type = '', edge = edgeType, targetType = type, target } = path;
  const refused = unknownGraph(world, graph);
  if (refused !== undefined) return refused;
  if (!Object.hasOwn(world.graphCounts().vertices, type)) return noVertex();
  const from = { type, id: decodeURIComponent(path.id ?? '') };
  const targets = target === undefined ? ['t-1', 't-2', 't-3'] : [decodeURIComponent(target)];
  const most = Number(query.get('limit') ?? targets.length);
  const kept = edge === edgeType ? targets.slice(0, most) : [];
  return restppResults(kept.map((id) => edgeOf(from, { type: targetType, id })));
};

function edgeOf(from: Vertex, to: Vertex): object {
  const ends = { from_id: from.id, from_type: from.type, to_id: to.id, to_type: to.type };
  return { e_type: edgeType, directed: true, ...ends, attributes: {} };
}

/** `POST /restpp/shortestpath/{graph}` and `/restpp/allpaths/{graph}`: one edge between the first source and target. */
export const findPaths: Endpoint = ({ world, path, body }) => {
  const refused = unknownGraph(world, path.graph ?? '');
  if (refused !== undefined) return refused;
  const [from, to] = [firstVertex(body, 'source'), firstVertex(body, 'target')];
  if (from === undefined || to === undefined) return restppError(400, 'REST-30000', 'Source or target is missing.');
  const found = [from, to].map((one) => vertexOf(one, world.now));
  return restppResults([{ vertices: found, edges: [edgeOf(from, to)] }]);
};

function firstVertex(body: string, key: 'source' | 'target'): Vertex | undefined {
  const single = new RegExp(`"${key}s?":\\[?\\{"type":"(\\w+)","id":"([^"]*)"`).exec(body);
  return single === null ? undefined : { type: single[1] ?? '', id: single[2] ?? '' };
}

/** `POST /gsql/v1/library/{template}?graph=…`: the result of the generated query is in an envelope of its own. */
export const runTemplate: Endpoint = ({ world, path, query }) => {
  const name = path.template ?? query.get('functionName') ?? '';
  if (!world.graphs.includes(query.get('graph') ?? '')) return gsqlError(404, 'The graph does not exist.');
  if (!name.startsWith('GDBMS_ALGO.')) return gsqlError(404, 'The template query does not exist.');
  const results = {
    error: false,
    message: '',
    version: { api: 'v2', schema: 0 },
    results: [{ top_scores: [1, 2, 3] }],
  };
  return json({ generatedQueryName: name.replaceAll('.', '_'), error: false, message: '', results });
};
