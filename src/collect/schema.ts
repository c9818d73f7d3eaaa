import type { GraphDb } from '../graphdb/graph-db.ts';
import { gauge, type Sample, sample } from '../metric/metric.ts';
import type { InventoryChange } from '../model/inventory.ts';
import { type GraphSchema, type SchemaItem, type SchemaList, schemaObjects } from '../model/schema.ts';
import { collector, type PollOutcome } from './collector.ts';
import { inventoryChanges } from './inventory.ts';
import { distinctBy } from './keyed-rows.ts';
import { mapPollOutcome, pollEach } from './poll-each.ts';

const source = 'GET /gsql/v1/schema';

/** Maximum number of graphs whose schema is requested. */
const maxGraphs = 100;

const graphCount = gauge({
  name: 'graphdb_graphs',
  help: 'Number of graphs.',
  source: `${source}/graphs`,
});

const objectCount = gauge({
  name: 'graphdb_schema_objects',
  help: 'Number of objects in the schema of the graph by kind; an empty graph stands for schema change jobs of all graphs.',
  labels: ['graph', 'object'],
  source: `${source}, ${source}/indexes, ${source}/jobs`,
});

const uncompared = gauge({
  name: 'graphdb_schema_uncompared_objects',
  help: 'Number of objects beyond the first 1000 of their kind and graph, whose changes are not reported.',
  source,
  countsDropped: true,
});

const uncounted = gauge({
  name: 'graphdb_schema_uncounted_graphs',
  help: `Number of graphs beyond the first ${maxGraphs} in alphabetical order, whose schema is not requested.`,
  source: `${source}/graphs`,
  countsDropped: true,
});

interface Schemas {
  readonly graphs: readonly string[];
  readonly schemas: readonly GraphSchema[];
  /** Jobs of all graphs; undefined if the server does not list them. */
  readonly globalJobs: SchemaList | undefined;
}

/** Schemas of the graphs. A change makes queries and loading jobs invalid, and a dropped type loses its data. */
export const schema = collector<Schemas>({
  name: 'schema',
  about:
    'Number of vertex types, edge types, attributes, indexes and schema change jobs of each graph; reports those that were added, removed or changed. Three requests to the GSQL server per graph and poll, and one for all graphs. Disabled by default.',
  scope: 'cluster',
  metrics: [graphCount, objectCount, uncompared, uncounted],
  defaults: { enabled: false, interval: 600_000, timeout: 60_000 },
  calls: ['graphs', 'graphSchema', 'globalSchemaJobs'],
  privilege: 'READ_SCHEMA',
  poll,
  samples,
  inventory: { objects: ['graph', ...schemaObjects], changes },
});

async function poll(db: GraphDb, signal: AbortSignal): Promise<PollOutcome<Schemas>> {
  const graphs = await db.graphs(signal);
  if (!graphs.ok) return graphs;
  const jobs = await db.globalSchemaJobs(signal);
  if (!jobs.ok && jobs.error.reason !== 'unsupported') return jobs;
  const globalJobs = jobs.ok ? jobs.value : undefined;
  const polled = await pollEach(graphs.value.slice(0, maxGraphs), (graph) => db.graphSchema(graph, signal));
  return mapPollOutcome(polled, (schemas) => ({ graphs: graphs.value, schemas, globalJobs }));
}

function* samples({ graphs, schemas, globalJobs }: Schemas): Generator<Sample> {
  yield sample(graphCount, {}, graphs.length);
  const distinct = [...distinctBy(schemas, ({ graph }) => graph)];
  for (const { graph, attributes, lists } of distinct) {
    for (const { object, count } of lists) yield sample(objectCount, { graph, object }, count);
    yield sample(objectCount, { graph, object: 'attribute' }, attributes);
  }
  if (globalJobs !== undefined) yield sample(objectCount, { graph: '', object: globalJobs.object }, globalJobs.count);
  const all = [...distinct.flatMap(({ lists }) => lists), ...(globalJobs === undefined ? [] : [globalJobs])];
  yield sample(
    uncompared,
    {},
    all.reduce((sum, { count, items }) => sum + count - items.length, 0),
  );
  yield sample(uncounted, {}, Math.max(0, graphs.length - maxGraphs));
}

function* changes(before: Schemas, after: Schemas): Generator<InventoryChange> {
  yield* inventoryChanges('graph', graphItems(before), graphItems(after));
  const [earlier, present] = [new Set(before.graphs), new Set(after.graphs)];
  for (const object of schemaObjects) {
    const [one, other] = [listsOf(before, object), listsOf(after, object)];
    // A list that one of the two polls lacks is not compared: the server did not return it, or a limit excluded its graph.
    const isCompared = (graph: string): boolean =>
      (one.has(graph) && other.has(graph)) || (graph !== '' && earlier.has(graph) !== present.has(graph));
    yield* inventoryChanges(object, itemsOf(one, isCompared), itemsOf(other, isCompared));
  }
}

function graphItems({ graphs }: Schemas): readonly { readonly name: string; readonly parts: readonly string[] }[] {
  return graphs.map((name) => ({ name, parts: [] }));
}

type Lists = ReadonlyMap<string, SchemaList>;

/** Returns the lists of one kind of object by graph; those of all graphs are under `''`. */
function listsOf({ schemas, globalJobs }: Schemas, object: SchemaItem['object']): Lists {
  const all = schemas.flatMap(({ graph, lists }) => lists.map((list) => ({ graph, list })));
  if (globalJobs !== undefined) all.push({ graph: '', list: globalJobs });
  return new Map(all.filter(({ list }) => list.object === object).map(({ graph, list }) => [graph, list]));
}

function itemsOf(lists: Lists, isCompared: (graph: string) => boolean): readonly SchemaItem[] {
  const items = [...lists].flatMap(([graph, list]) => (isCompared(graph) ? list.items : []));
  return [...distinctBy(items, ({ name }) => name)];
}
