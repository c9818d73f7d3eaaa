import { formatElapsed } from '../../kernel/duration.ts';
import type { CollectorView } from '../../model/situation.ts';
import type { ClusterRule } from '../rule.ts';
import { describeScope, lastSuccessMetric, timeOrStart, timeSinceSuccess, wasPolled } from './collector-freshness.ts';
import { placeTemplate } from './twin-templates.ts';

/** Failure reason that means that the server lacks the endpoint; not if a poll succeeded before. */
const lacking = 'unsupported';

/**
 * Collectors whose endpoint every supported server version has, and custom queries: if the server seems to lack it, an
 * address, a proxy or the configuration is wrong. A pattern for the whole name, in Prometheus as well.
 */
const expected = 'metrics|services|statistics|queries|custom_.+';
const isExpected = new RegExp(`^(?:${expected})$`);

/** Failure reasons that have separate rules. */
const excludedReasons = ['auth'];

const lastSuccessOrStart = timeOrStart(lastSuccessMetric);

/** The configured interval: a collector in backoff polls less often, but its data is just as old. */
const configuredIntervalMetric = 'graphwarden_collector_configured_interval_seconds';

/** A collector has no data, so the absence of alerts that depend on it does not mean that the cluster is healthy. */
export const collectorBlind: ClusterRule = {
  name: 'collector_blind',
  about: 'A collector has had no successful poll for several intervals.',
  scope: 'cluster',
  severity: 'warning',
  for: 30_000,
  keepFiringFor: 60_000,
  thresholds: [
    {
      name: 'intervals',
      about: 'Number of intervals without a successful poll after which the alert fires.',
      unit: 'count',
      value: 5,
      above: 0,
    },
  ],
  labels: ['node', 'collector'],
  needs: [],
  families: [],
  summary: 'No data from collector {{collector}} {{place}} ({{cluster_name}})',
  description:
    'The collector {{collector}} has had no successful poll {{place}} for {{age}}: {{message}}. Alert rules that need its data neither fire nor resolve until it recovers.',
  resolved: 'The collector {{collector}} {{data}} {{place}}{{cause}}.',
  twin: [
    `graphwarden_collector_failing{collector!="health",reason!~"${[...excludedReasons, lacking].join('|')}"} == 1`,
    `and ignoring (reason) time() - ${lastSuccessOrStart} > {{intervals}} * ${configuredIntervalMetric}`,
    `or graphwarden_collector_failing{collector!="health",reason="${lacking}"} == 1`,
    `and ignoring (reason) time() - (${lastSuccessMetric} > 0) > {{intervals}} * ${configuredIntervalMetric}`,
    `or graphwarden_collector_failing{collector=~"${expected}",reason="${lacking}"} == 1`,
    `and ignoring (reason) time() - ${lastSuccessOrStart} > {{intervals}} * ${configuredIntervalMetric}`,
  ].join(' '),
  twinTexts: {
    facts: { place: placeTemplate },
    description:
      'The collector {{collector}} has not succeeded {{place}} for several of its intervals. graphwarden_collector_failures_total shows the reason. Rules that use its data do not fire until it recovers.',
  },
  dashboard: 'graphwarden',
  knows: (situation, { collector = '', node = '' }) => wasPolled(situation, collector, node),
  current({ collectors }, { collector, node }) {
    const view = collectors.find((one) => one.collector === collector && one.node === node);
    if (view === undefined || view.reason === '') return { data: 'has data again', cause: '' };
    return { data: 'has no data', cause: `, for a reason that does not fire this alert: ${view.message}` };
  },
  *evaluate({ collectors }, { intervals = 0 }, now) {
    for (const view of collectors) {
      const { node, collector, fresh, message } = view;
      if (fresh || !isCovered(view) || timeSinceSuccess(view, now.wall) <= intervals * (view.interval ?? Infinity))
        continue;
      const facts = {
        place: describeScope(view),
        age: formatElapsed(timeSinceSuccess(view, now.wall)),
        message: message === '' ? 'it was not polled' : message,
      };
      yield { labels: { node, collector }, facts };
    }
  },
};

/** Returns whether this rule reports the failure: `node_unreachable` reports failed health checks. */
function isCovered({ collector, reason, lastSuccess }: CollectorView): boolean {
  if (collector === 'health' || excludedReasons.includes(reason)) return false;
  return reason !== lacking || lastSuccess !== undefined || isExpected.test(collector);
}
