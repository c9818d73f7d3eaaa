import type { Endpoint, EndpointCall } from '../call.ts';
import { gsqlError, json, type Reply, restppError, restppResults } from '../replies.ts';
import type { World } from '../world/world.ts';
import { unknownGraph } from './database.ts';

/** Age of the newest entry of each type in seconds. */
const writeAges = { Account: 42, Person: 310, Transfer: 3 } as const;

/** Share of the vertices that have no edge, and of those whose degree is an outlier. */
const orphanShare = 0.0004;
const outlierShare = 0.00002;

type Printed = readonly object[] | undefined;

/** Queries for monitoring that are installed on every graph, by name; undefined for a wrong parameter. */
const monitoringQueries: Readonly<Record<string, (call: EndpointCall) => Printed>> = {
  degree_outliers: ({ world, query }) => {
    const least = Number(query.get('min_degree') ?? 1000);
    if (!Number.isFinite(least)) return undefined;
    return [{ '@@by_type': vertexCounts(world).map(([type, count]) => outliersOf(type, count, least)) }];
  },
  orphan_vertices: ({ world }) => [
    {
      '@@orphans': Object.fromEntries(
        vertexCounts(world).map(([type, count]) => [type, Math.floor(count * orphanShare)]),
      ),
    },
  ],
  data_age: () => [{ '@@newest': Object.entries(writeAges).map(([type, age_seconds]) => ({ type, age_seconds })) }],
};

function outliersOf(type: string, count: number, least: number): object {
  return { type, outliers: Math.floor((count * outlierShare * 1000) / Math.max(1, least)), max_degree: least * 12 };
}

function vertexCounts(world: World): readonly (readonly [type: string, count: number])[] {
  return Object.entries(world.graphCounts().vertices);
}

/** Returns the answer of a query for monitoring, which takes no time; undefined for any other query. */
export function monitoringResults(name: string, graph: string, call: EndpointCall): Reply | undefined {
  if (!Object.hasOwn(monitoringQueries, name)) return undefined;
  const refused = unknownGraph(call.world, graph);
  if (refused !== undefined) return refused;
  const printed = monitoringQueries[name]?.(call);
  const message = 'Runtime Error: min_degree is not a number.';
  return printed === undefined ? restppError(400, 'REST-30000', message) : restppResults(printed);
}

/** `POST /gsql/v1/queries/interpret`: any statement prints the sizes of its graph. The error texts are assumed. */
export const interpretQuery: Endpoint = ({ world, body }) => {
  const [, graph = ''] = /^\s*INTERPRET\s+QUERY\s*\([^)]*\)\s*FOR\s+GRAPH\s+(\w+)/i.exec(body) ?? [];
  if (graph === '') return gsqlError(400, 'The body is not an INTERPRET QUERY statement.');
  if (!world.graphs.includes(graph)) return gsqlError(404, `Graph '${graph}' does not exist.`);
  const { vertices, edges } = world.graphCounts();
  const results = [{ vertices: sum(vertices), edges: sum(edges) }];
  return json({ version: { api: 'v2', schema: 0 }, error: false, message: '', results });
};

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}
