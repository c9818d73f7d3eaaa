import type { GraphDb } from '../graphdb/graph-db.ts';
import { gauge, type Sample, sample } from '../metric/metric.ts';
import { type InventoryChange, type InventoryItem, type QueryDefinition, queryStates } from '../model/inventory.ts';
import { collector, type PollOutcome } from './collector.ts';
import { inventoryChanges } from './inventory.ts';
import { compositeKey, distinctBy } from './keyed-rows.ts';
import { mapPollOutcome, pollEach } from './poll-each.ts';

const source = 'GET /gsql/v1/queries/info';

/** Maximum number of graphs whose queries are requested. */
const maxGraphs = 200;

const total = gauge({
  name: 'graphdb_graph_queries',
  help: 'Number of queries that are defined on the graph.',
  labels: ['graph'],
  source,
});

const byState = gauge({
  name: 'graphdb_query_definitions',
  help: 'Number of queries of the graph by the state of their definition: installed and usable, a draft, being installed, invalid, or disabled.',
  labels: ['graph', 'state'],
  source: `${source}: installed, installing, enabled, status`,
});

const uncounted = gauge({
  name: 'graphdb_query_definitions_uncounted_graphs',
  help: `Number of graphs beyond the first ${maxGraphs} in alphabetical order, whose queries are not requested.`,
  source: 'GET /gsql/v1/schema/graphs',
  countsDropped: true,
});

interface DefinedQueries {
  /** All graphs, also those beyond the limit. */
  readonly known: readonly string[];
  readonly graphs: readonly { readonly graph: string; readonly queries: readonly QueryDefinition[] }[];
  readonly uncounted: number;
}

/** Definitions of queries. A change of the schema can make them invalid or remove them, and clients then get errors. */
export const queryDefinitions = collector<DefinedQueries>({
  name: 'query_definitions',
  about:
    'Number of queries of each graph by state: installed, invalid, disabled, being installed; reports queries that were added or removed, or whose state changed. One request to the GSQL server per graph and poll. Disabled by default.',
  scope: 'cluster',
  metrics: [total, byState, uncounted],
  defaults: { enabled: false, interval: 600_000, timeout: 60_000 },
  calls: ['graphs', 'queryDefinitions'],
  privilege: 'READ_QUERY',
  poll,
  samples,
  contents: (facts) => ({ queryDefinitions: distinctQueries(facts) }),
  inventory: {
    objects: ['query'],
    changes,
  },
});

async function poll(db: GraphDb, signal: AbortSignal): Promise<PollOutcome<DefinedQueries>> {
  const graphs = await db.graphs(signal);
  if (!graphs.ok) return graphs;
  const requested = graphs.value.slice(0, maxGraphs);
  const polled = await pollEach(requested, async (graph) => {
    const queries = await db.queryDefinitions(graph, signal);
    return queries.ok ? { ok: true, value: { graph, queries: queries.value } } : queries;
  });
  return mapPollOutcome(polled, (listed) => ({
    known: graphs.value,
    graphs: listed,
    uncounted: graphs.value.length - requested.length,
  }));
}

function* samples({ graphs, uncounted: more }: DefinedQueries): Generator<Sample> {
  for (const { graph, queries } of distinctBy(graphs, (one) => one.graph)) {
    const distinct = [...distinctBy(queries, ({ name }) => name)];
    yield sample(total, { graph }, distinct.length);
    for (const state of queryStates) {
      yield sample(byState, { graph, state }, distinct.filter((query) => query.state === state).length);
    }
  }
  yield sample(uncounted, {}, more);
}

/** Yields the changes of queries. Graphs that entered or left the limited set of graphs are not compared. */
function changes(before: DefinedQueries, after: DefinedQueries): Iterable<InventoryChange> {
  const moved = new Set(movedGraphs(before, after));
  const compared = (facts: DefinedQueries): readonly InventoryItem[] =>
    distinctQueries(facts)
      .filter(({ graph }) => !moved.has(graph))
      .map(({ graph, name, state }) => ({ name: `${graph}/${name}`, parts: [state] }));
  return inventoryChanges('query', compared(before), compared(after));
}

function movedGraphs(before: DefinedQueries, after: DefinedQueries): readonly string[] {
  const [earlier, present] = [before, after].map(({ graphs }) => new Set(graphs.map(({ graph }) => graph)));
  const known = new Set(after.known);
  return before.known.filter((graph) => known.has(graph) && earlier?.has(graph) !== present?.has(graph));
}

/** Returns the queries of all graphs; a name occurs once in a graph. */
function distinctQueries({ graphs }: DefinedQueries): readonly QueryDefinition[] {
  const all = graphs.flatMap(({ queries }) => queries);
  return [...distinctBy(all, ({ graph, name }) => compositeKey(graph, name))];
}
