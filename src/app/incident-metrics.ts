import type { Store } from '../kernel/store.ts';
import type { Instant } from '../kernel/time.ts';
import { gauge, type Metric, sample } from '../metric/metric.ts';
import type { Deliverer } from '../notify/deliverer.ts';
import type { Alerts } from './alerts.ts';
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

/** Who knows what the line behind the readings shows. */
export interface IncidentSources {
  readonly incidents: Incidents;
  readonly alerts: Alerts;
  readonly deliverer: Deliverer;
  readonly store: Store;
}

/** What the line behind the readings shows, by the source under which the page knows it. */
export function* incidentShowings(
  { incidents, alerts, deliverer, store }: IncidentSources,
  watches: readonly Watch[],
  now: Instant,
): Generator<readonly [source: string, showing: Showing]> {
  yield [JSON.stringify(['state']), { labels: {}, samples: [sample(durable, {}, store.durable ? 1 : 0)] }];
  yield [JSON.stringify(['alerts']), { labels: { cluster_name: '' }, samples: alerts.samples('') }];
  yield [JSON.stringify(['outbox']), { labels: {}, samples: [...deliverer.samples(now)] }];
  for (const { settings } of watches) {
    const { name, labels: own } = settings;
    const labels = { cluster_name: name, ...own };
    yield [JSON.stringify([name, 'tracker']), { labels, samples: incidents.samples(name, now) }];
    yield [JSON.stringify([name, 'alerts']), { labels, samples: alerts.samples(name) }];
  }
}
