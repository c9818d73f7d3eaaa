import type { Endpoint } from '../call.ts';
import { json } from '../replies.ts';
import { installedQueries } from '../world/query-catalog.ts';

type Parameters = Readonly<Record<string, Readonly<Record<string, string | number>>>>;

const builtIns: Readonly<Record<string, Parameters>> = {
  'GET /abortquery/{graph_name}': { requestid: parameter('STRING'), url: parameter('STRING') },
  'GET /echo': { sleep: parameter('INT32', '0') },
  'GET /endpoints/{graph_name}': {
    builtin: booleanParameter(),
    dynamic: booleanParameter(),
    static: booleanParameter(),
  },
  'GET /graph/{graph_name}/vertices/{vertex_type}/{vertex_id}': { select: parameter('STRING') },
  'GET /showdelayedlistall': {},
  'GET /showprocesslist/{graph_name}': {},
  'GET /showprocesslistall': {},
  'GET /statistics/{graph_name}': { seconds: parameter('UINT32', '10'), segments: parameter('UINT32', '10') },
  'GET /version': {},
};

/** `GET /restpp/endpoints[/{graph}]`: no envelope; without a choice of kinds, all of them. */
export const endpointList: Endpoint = ({ world, path, query }) => {
  const chosen = ['builtin', 'dynamic', 'static'].filter((kind) => query.get(kind) === 'true');
  const wants = (kind: string): boolean => chosen.length === 0 || chosen.includes(kind);
  const graphs = path.graph === undefined ? world.graphs : world.graphs.filter((name) => name === path.graph);
  const listed = { ...(wants('builtin') ? builtIns : {}), ...(wants('dynamic') ? installedEndpoints(graphs) : {}) };
  return json(Object.fromEntries(Object.entries(listed).map(([key, parameters]) => [key, { parameters }])));
};

function installedEndpoints(graphs: readonly string[]): Readonly<Record<string, Parameters>> {
  return Object.fromEntries(
    graphs.flatMap((graph) =>
      installedQueries.map((name) => [`GET /query/${graph}/${name}`, { query: parameter('STRING', name) }]),
    ),
  );
}

function parameter(type: string, fallback = ''): Readonly<Record<string, string | number>> {
  return { default: fallback, max_count: 1, min_count: 0, type };
}

function booleanParameter(): Readonly<Record<string, string | number>> {
  return parameter('BOOL', 'false');
}
