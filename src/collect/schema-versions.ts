import type { GraphDb } from '../graphdb/graph-db.ts';
import { gauge, type Sample, sample } from '../metric/metric.ts';
import type { SchemaVersion } from '../model/schema.ts';
import { collector, type PollOutcome } from './collector.ts';
import { distinctBy } from './keyed-rows.ts';
import { mapPollOutcome, pollEach } from './poll-each.ts';

const source = 'POST /restpp/builtins/{graph}';

/** Maximum number of graphs whose version is requested: the request is sent to every node. */
const maxGraphs = 30;

const version = gauge({
  name: 'graphdb_schema_version',
  help: 'Version of the schema of the graph that the node applies.',
  labels: ['graph'],
  source: `${source}: version.schema`,
});

const uncounted = gauge({
  name: 'graphdb_schema_version_uncounted_graphs',
  help: `Number of graphs beyond the first ${maxGraphs} in alphabetical order, whose version is not requested.`,
  source: 'GET /gsql/v1/schema/graphs',
  countsDropped: true,
});

interface SchemaVersions {
  readonly versions: readonly SchemaVersion[];
  readonly uncounted: number;
}

/** Version of each schema by node. A node that missed a change of the schema fails queries that others answer. */
export const schemaVersions = collector<SchemaVersions>({
  name: 'schema_versions',
  about:
    'Schema version that the node applies, by graph; all nodes must apply the same version. One request per node, graph and poll. Disabled by default.',
  scope: 'node',
  metrics: [version, uncounted],
  defaults: { enabled: false, interval: 60_000, timeout: 20_000 },
  calls: ['graphs', 'schemaVersion'],
  privilege: 'READ_DATA',
  poll,
  samples,
});

async function poll(db: GraphDb, signal: AbortSignal): Promise<PollOutcome<SchemaVersions>> {
  const graphs = await db.graphs(signal);
  if (!graphs.ok) return graphs;
  const requested = graphs.value.slice(0, maxGraphs);
  const polled = await pollEach(requested, (graph) => db.schemaVersion(graph, signal));
  return mapPollOutcome(polled, (versions) => ({ versions, uncounted: graphs.value.length - requested.length }));
}

function* samples({ versions, uncounted: more }: SchemaVersions): Generator<Sample> {
  for (const { graph, version: applied } of distinctBy(versions, (one) => one.graph)) {
    yield sample(version, { graph }, applied);
  }
  yield sample(uncounted, {}, more);
}
