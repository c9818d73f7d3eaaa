import type { CollectorView } from '../../model/situation.ts';
import type { ClusterRule } from '../rule.ts';
import { blindFor, placeIn, wasRead } from './readings.ts';
import { lengthOf, scrapedProcess } from './words.ts';

/** What has rules of its own, and what the server does not have. */
const elsewhere = ['auth', 'unsupported'];

const success = 'graphwarden_collector_last_success_timestamp_seconds';
const begun = 'graphwarden_config_last_reload_success_timestamp_seconds';
/** A collector without a good reading is expected to have one since it was configured. */
const lastGood = `(${success} > 0 or 0 * ${success} + on (${scrapedProcess}) group_left () ${begun})`;

/** While it backs off it reads less often, but it is as blind as it was. */
const configured = 'graphwarden_collector_configured_interval_seconds';

/** We do not see: what rules would say of it is not known, and their silence means nothing. */
export const collectorBlind: ClusterRule = {
  name: 'collector_blind',
  about: 'A collector has had no good reading for several intervals.',
  scope: 'cluster',
  severity: 'warning',
  hold: 30_000,
  keepFiring: 60_000,
  thresholds: [{ name: 'intervals', about: 'Intervals without a good reading.', unit: 'count', value: 5, above: 0 }],
  labels: ['node', 'collector'],
  needs: [],
  families: [],
  summary: 'graphwarden does not see {{collector}} {{place}} of {{cluster_name}}',
  description:
    'There was no good reading of {{collector}} {{place}} for {{age}}: {{message}}. Rules that go by it say nothing until it is back.',
  twin: [
    `graphwarden_collector_failing{collector!="health",reason!~"${elsewhere.join('|')}"} == 1`,
    `and ignoring (reason) time() - ${lastGood} > {{intervals}} * ${configured}`,
  ].join(' '),
  knows: (situation, { collector = '', node = '' }) => wasRead(situation, collector, node),
  *judge({ collectors }, { intervals = 0 }, now) {
    for (const view of collectors) {
      const { node, collector, fresh, message } = view;
      if (fresh || !isOurs(view) || blindFor(view, now.wall) <= intervals * (view.interval ?? Infinity)) continue;
      const facts = {
        place: placeIn(view),
        age: lengthOf(blindFor(view, now.wall)),
        message: message === '' ? 'it was not read' : message,
      };
      yield { labels: { node, collector }, facts };
    }
  },
};

/** That a node is away has a rule of its own, which goes by the liveness call. */
function isOurs({ collector, reason }: CollectorView): boolean {
  return collector !== 'health' && !elsewhere.includes(reason);
}
