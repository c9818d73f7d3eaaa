import { gauge, type Sample, sample } from '../metric/metric.ts';
import { type EndpointItem, endpointKinds } from '../model/inventory.ts';
import { collector } from './collector.ts';
import { inventoryChanges, largestNames, otherNames } from './inventory.ts';
import { compositeKey, distinctBy, getOrCreate } from './keyed-rows.ts';

const source = 'GET /restpp/endpoints';

/** Maximum number of graphs with their own series. */
const maxGraphs = 200;

const endpointCount = gauge({
  name: 'graphdb_endpoints',
  help: `Number of endpoints of the data plane; graph="" are endpoints of all graphs, and graph="${otherNames}" those of the graphs beyond the ${maxGraphs} with the most endpoints.`,
  labels: ['graph', 'kind'],
  source: `${source}?builtin, dynamic, static`,
});

const otherGraphs = gauge({
  name: 'graphdb_endpoints_other_graphs',
  help: `Number of graphs whose endpoints are counted as graph="${otherNames}".`,
  source,
  countsDropped: true,
});

/** Endpoints of the data plane. The endpoint of a query appears and changes with its installation. */
export const endpoints = collector<readonly EndpointItem[]>({
  name: 'endpoints',
  about:
    'Number of endpoints of the data plane by kind and graph; reports endpoints that were added or removed, or whose parameters changed. Three requests per poll. Disabled by default.',
  scope: 'cluster',
  metrics: [endpointCount, otherGraphs],
  defaults: { enabled: false, interval: 300_000, timeout: 10_000 },
  calls: ['endpoints'],
  privilege: '',
  poll: (db, signal) => db.endpoints(signal),
  samples,
  inventory: {
    objects: ['endpoint'],
    changes: (before, after) => inventoryChanges('endpoint', before, after),
  },
});

function* samples(items: readonly EndpointItem[]): Generator<Sample> {
  const distinct = [...distinctBy(items, ({ name, kind }) => compositeKey(name, kind))];
  const byGraph = Map.groupBy(distinct, ({ graph }) => graph);
  const named = new Map([...byGraph].map(([graph, of]) => [graph, of.length]));
  named.delete('');
  const shown = largestNames(named, maxGraphs);
  const counts = new Map(['', ...shown].map((graph) => [graph, new Map<string, number>()]));
  for (const kind of endpointKinds) counts.get('')?.set(kind, 0);
  for (const { graph, kind } of distinct) {
    const label = graph === '' || shown.has(graph) ? graph : otherNames;
    const kinds = getOrCreate(counts, label, () => new Map<string, number>());
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  for (const [graph, kinds] of counts) {
    for (const [kind, count] of kinds) yield sample(endpointCount, { graph, kind }, count);
  }
  yield sample(otherGraphs, {}, named.size - shown.size);
}
