import type { Store } from '../kernel/store.ts';
import type { Instant } from '../kernel/time.ts';
import { gauge, type Metric, sample } from '../metric/metric.ts';
import type { Incidents } from './incidents.ts';
import type { Showing } from './shown-sources.ts';
import type { Watch } from './watch.ts';

const durable = gauge({
  name: 'graphwarden_state_durable',
  help: 'Whether what happens is written to disk; 0 while it is kept in memory alone.',
  source: 'measured by us',
});

/** The families in which the daemon tells about its own state. */
export const stateMetrics: readonly Metric[] = [durable];

/** What the line behind the readings shows, by the source under which the page knows it. */
export function* incidentShowings(
  { incidents, store }: { readonly incidents: Incidents; readonly store: Store },
  watches: readonly Watch[],
  now: Instant,
): Generator<readonly [source: string, showing: Showing]> {
  yield [JSON.stringify(['state']), { labels: {}, samples: [sample(durable, {}, store.durable ? 1 : 0)] }];
  for (const { settings } of watches) {
    const { name, labels } = settings;
    const samples = incidents.samples(name, now);
    yield [JSON.stringify([name, 'tracker']), { labels: { cluster_name: name, ...labels }, samples }];
  }
}
