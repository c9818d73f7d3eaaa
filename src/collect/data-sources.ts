import { gauge, type Sample, sample } from '../metric/metric.ts';
import { type DataSource, firstByName } from '../model/inventory.ts';
import { collector } from './collector.ts';
import { inventoryChanges, largestNames, otherNames } from './inventory.ts';
import { compositeKey, distinctBy } from './keyed-rows.ts';

const source = 'GET /gsql/v1/data-sources';

/** Maximum number of source types with separate series. */
const maxTypes = 20;
/** Maximum number of sources whose changes are reported. */
const maxCompared = 1000;

const count = gauge({
  name: 'graphdb_data_sources',
  help: `Number of data sources by type and scope: of one graph, or of all graphs (global); type="${otherNames}" are the types beyond the ${maxTypes} with the most sources.`,
  labels: ['type', 'scope'],
  source: `${source}: type, belongTo`,
});

const uncompared = gauge({
  name: 'graphdb_data_sources_uncompared',
  help: `Number of data sources beyond the first ${maxCompared}, whose changes are not reported.`,
  source,
  countsDropped: true,
});

/** Data sources of loading jobs. A job that reads a source that was changed or dropped fails, or loads other data. */
export const dataSources = collector<readonly DataSource[]>({
  name: 'data_sources',
  about:
    'Number of data sources of loading jobs by type and scope; reports those that were added, removed or changed, without their configuration. One request to the GSQL server per poll. Disabled by default.',
  scope: 'cluster',
  metrics: [count, uncompared],
  defaults: { enabled: false, interval: 300_000, timeout: 10_000 },
  calls: ['dataSources'],
  privilege: '',
  poll: (db, signal) => db.dataSources(signal),
  samples,
  inventory: {
    objects: ['data_source'],
    changes: (before, after) => inventoryChanges('data_source', compared(before), compared(after)),
  },
});

function* samples(sources: readonly DataSource[]): Generator<Sample> {
  const distinct = distinctSources(sources);
  const byType = Map.groupBy(distinct, ({ type }) => type);
  const shown = largestNames(new Map([...byType].map(([type, own]) => [type, own.length])), maxTypes);
  const labels = distinct.map(({ type, graph }) => ({
    type: shown.has(type) ? type : otherNames,
    scope: graph === '' ? 'global' : 'graph',
  }));
  for (const rows of Map.groupBy(labels, ({ type, scope }) => compositeKey(type, scope)).values()) {
    const [first] = rows;
    if (first !== undefined) yield sample(count, first, rows.length);
  }
  yield sample(uncompared, {}, Math.max(0, distinct.length - maxCompared));
}

function compared(sources: readonly DataSource[]): readonly DataSource[] {
  return firstByName(distinctSources(sources), maxCompared);
}

function distinctSources(sources: readonly DataSource[]): readonly DataSource[] {
  return [...distinctBy(sources, ({ name }) => name)];
}
