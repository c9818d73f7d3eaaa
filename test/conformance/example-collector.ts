import { collector } from '../../src/collect/collector.ts';
import { gauge, sample } from '../../src/metric/metric.ts';

const source = 'GET /gsql/v1/schema/graphs';
const graphCount = gauge({ name: 'graphdb_graphs', help: 'Graphs of the cluster: length of graphs.', source });

/** A collector that the product does not have, written as a newcomer would: the suite has to accept it. */
export const graphs = collector({
  name: 'graphs',
  about: 'How many graphs the cluster has.',
  scope: 'cluster',
  metrics: [graphCount],
  defaults: { enabled: true, interval: 60_000, timeout: 5000 },
  calls: ['graphs'],
  privilege: '',
  poll: (db, signal) => db.graphs(signal),
  samples: (names) => [sample(graphCount, {}, names.length)],
});
