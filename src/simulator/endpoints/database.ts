import type { Endpoint, EndpointCall } from '../call.ts';
import { gsqlError, json, jsonText, type Reply, restppError, text } from '../replies.ts';
import { hexId } from '../seeded-random.ts';
import { plainDate } from '../timestamps.ts';
import type { DefinedQuery } from '../world/defined-queries.ts';
import { typeNames } from '../world/schema.ts';
import type { World } from '../world/world.ts';

/** `GET /api/ping`: response of the GUI service, in the format of real servers. */
export const ping: Endpoint = () => json({ error: false, message: 'pong', results: null });

/** `GET|POST /restpp/echo` with an optional delay. As on real servers, the text has a blank after the comma. */
export async function echo({ query, clock, disconnected }: EndpointCall): Promise<ReturnType<typeof jsonText>> {
  const seconds = Number(query.get('sleep') ?? 0);
  if (seconds > 0) await clock.sleep(seconds * 1000, disconnected);
  return jsonText('{"error":false, "message":"Hello GSQL"}');
}

/**
 * `GET /restpp/version`: a table in white space inside a JSON string, with raw line feeds, and `error` as text. The line
 * before the table is assumed, because the vendor's client skips three lines.
 */
export const restppVersion: Endpoint = ({ world }) => {
  const { version } = world.release;
  const head = `SimulatedGraph RESTPP: \n --- Version ---\nSimulatedGraph version: ${version}\n`;
  return jsonText(`{"error":"false", "message":"${head}${componentTable(version)}\n"}`);
};

/** `GET /gsql/v1/version`: plain text. */
export const gsqlVersion: Endpoint = ({ world, query }) => {
  const { version } = world.release;
  const copyright = query.has('verbose') ? 'This is a simulation by graphwarden.\n' : '';
  return text(
    `GSQL version: ${version}\nGSQL commit number: ${commit('gsql', version)}\nGSQL commit date: ${builtOn} 10:00:00 -0700\n${copyright}`,
  );
};

/** Components in the version table; `product` is first. */
export const components = ['product', 'gpe', 'gse', 'restpp', 'gsql', 'ifm', 'ctrl', 'gui'] as const;

/** Returns the commit of a component of a release. */
export function commit(component: string, version: string): string {
  return `${hexId(component, version)}${hexId(version, component).slice(0, 8)}`;
}

const builtOn = '2025-01-15';

function componentTable(version: string): string {
  const [, month, day] = builtOn.split('-');
  return components
    .map((name) => {
      const tag = `release_${version}_${month}-${day}-2025`;
      return `${name.padEnd(20)} ${tag}  ${commit(name, version)}  ${builtOn} 10:00:00 -0700`;
    })
    .join('\n');
}

/** `GET /gsql/v1/schema/graphs[?graphName=…]`: the graphs are a member next to the envelope, not in `results`. */
export const graphList: Endpoint = ({ world, query }) => {
  const one = query.get('graphName') ?? query.get('graph');
  if (one !== null && !world.graphs.includes(one)) return gsqlError(404, `Graph '${one}' does not exist.`);
  const graphs = world.graphs
    .filter((name) => one === null || name === one)
    .map((graphName) => ({ graphName, ...typeNames(world.isSchemaChanged, world.settings.extraTypes) }));
  return json({ graphs, error: false, message: '' });
};

/** `GET /gsql/v1/queries?graph=…`: the names of the installed queries of a graph. */
export const queryNames: Endpoint = ({ world, query }) => {
  const graph = query.get('graph') ?? '';
  if (!world.graphs.includes(graph)) return gsqlError(404, `Graph '${graph}' does not exist.`);
  return json({ error: false, message: '', results: world.definedQueries().map(({ name }) => name) });
};

/** `GET /gsql/v1/queries/info?graph=…[&query=…]`: the definitions of the queries of a graph. The word `INVALID` is assumed. */
export const queryInfo: Endpoint = ({ world, query }) => {
  const graph = query.get('graph') ?? '';
  if (!world.graphs.includes(graph)) return gsqlError(404, `Graph '${graph}' does not exist.`);
  const one = query.get('query');
  const records = world.definedQueries().filter(({ name }) => one === null || name === one);
  return json({ error: false, message: '', results: records.map(queryRecord) });
};

function queryRecord({ name, isValid }: DefinedQuery): object {
  const flags = { installed: true, installing: false, enabled: true, isHidden: false, graphUpdate: false };
  const definition = {
    code: `CREATE QUERY ${name}() { PRINT 1; }`,
    syntax: 'GSQL',
    status: isValid ? 'VALID' : 'INVALID',
  };
  return { name, ...flags, ...definition, isACLSpecified: false, callerQueries: [], endpoint: {} };
}

/**
 * Returns the error for a graph that does not exist; undefined if it exists. The status is assumed, the code is documented.
 */
export function unknownGraph(world: World, graph: string): Reply | undefined {
  if (world.graphs.includes(graph)) return undefined;
  return restppError(404, 'REST-1004', `Graph name '${graph}' cannot be found.`);
}

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
  const listed = {
    ...(wants('builtin') ? builtIns : {}),
    ...(wants('dynamic') ? installedEndpoints(graphs, world) : {}),
  };
  return json(Object.fromEntries(Object.entries(listed).map(([key, parameters]) => [key, { parameters }])));
};

function installedEndpoints(graphs: readonly string[], world: World): Readonly<Record<string, Parameters>> {
  return Object.fromEntries(
    graphs.flatMap((graph) =>
      world.definedQueries().map(({ name }) => [`GET /query/${graph}/${name}`, { query: parameter('STRING', name) }]),
    ),
  );
}

function parameter(type: string, fallback = ''): Readonly<Record<string, string | number>> {
  return { default: fallback, max_count: 1, min_count: 0, type };
}

function booleanParameter(): Readonly<Record<string, string | number>> {
  return parameter('BOOL', 'false');
}

const day = 86_400_000;

/** `GET /restpp/showlicenseinfo`: the keys have blanks; the format of the date is assumed. */
export const license: Endpoint = ({ world }) => {
  const left = world.licenseExpiresAt - world.now;
  if (left < 0) return restppError(400, 'REST-10020', 'The license is expired.');
  const results = [{ 'Expiration date': plainDate(world.licenseExpiresAt), 'Days remaining': Math.floor(left / day) }];
  return json({ error: false, message: 'License information of the simulation', results });
};
