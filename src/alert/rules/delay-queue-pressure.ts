import { formatElapsed } from '../../kernel/duration.ts';
import type { Situation } from '../../model/situation.ts';
import type { ClusterRule, RuleFinding } from '../rule.ts';
import { queueFamilies, queueLabels, queueLoads } from './queue-load.ts';
import { formatCount, formatPercent } from './text-format.ts';

const oldest = 'graphdb_delayed_query_oldest_age_seconds';

/**
 * More queries arrive than end: the delay queue of an engine is half full by the limit of the server, or a query has
 * waited on a node for as long as its usual timeout.
 */
export const delayQueuePressure: ClusterRule = {
  name: 'delay_queue_pressure',
  about: 'The delay queue of a workload queue is half full, or a query has been waiting on a node for too long.',
  scope: 'cluster',
  severity: 'warning',
  for: 60_000,
  keepFiringFor: 60_000,
  thresholds: [
    {
      name: 'share',
      about: 'Share of used slots of the delay queue from which the alert fires.',
      unit: 'ratio',
      value: 0.5,
      above: 0,
    },
    {
      name: 'longest_wait',
      about: 'Waiting time of the oldest query above which the alert fires.',
      unit: 'seconds',
      value: 16,
    },
  ],
  labels: ['node', ...queueLabels],
  needs: ['delayed_queries'],
  knows: (situation, { engine = '', queue = '' }) =>
    engine === '' || situation.isFresh('workload_queues', '') || hasQueue(situation, engine, queue),
  families: [
    queueFamilies.running,
    queueFamilies.delayed,
    queueFamilies.runningLimit,
    queueFamilies.delayedLimit,
    oldest,
  ],
  summary: 'Queries wait {{where}} of {{cluster_name}}: {{pressure}}',
  description:
    'Queries wait {{where}}: {{pressure}}. The server rejects queries when the delay queue is full, and the default query timeout is 16 s. Find long-running queries: graphwarden queries.',
  resolved: 'The wait {{where}} of {{cluster_name}} is below the thresholds.',
  twin: [
    `${queueFamilies.delayed} >= {{share}} * (${queueFamilies.delayedLimit} > 0)`,
    `or max without (graph) (${oldest}) > {{longest_wait}}`,
  ].join(' '),
  twinTexts: {
    summary: 'Queries wait {{where}} of {{cluster_name}}',
    facts: {
      where:
        '{{ with $labels.node }}on {{ . }}{{ else }}in the workload queue {{ $labels.queue }} of {{ $labels.engine }}{{ end }}',
    },
    description:
      'Queries wait {{where}}: half of the delay queue is taken, or a query has waited for its usual timeout. The server rejects queries when the delay queue is full, and the default query timeout is 16 s. Find long-running queries: graphwarden queries.',
  },
  dashboard: 'queries',
  current: (_, { node = '', engine = '', queue = '' }) => ({ where: describeQueue(node, engine, queue) }),
  *evaluate(situation, { share = 0, longest_wait: longest = 0 }) {
    yield* fullQueues(situation, share);
    for (const [node, wait] of longestWaits(situation)) {
      if (wait <= longest) continue;
      const pressure = `the oldest query for ${formatElapsed(wait * 1000)}`;
      yield { labels: { node, engine: '', queue: '' }, facts: { where: describeQueue(node, '', ''), pressure } };
    }
  },
};

/** Returns whether a poll that lacks other engines has a queue. */
function hasQueue(situation: Situation, engine: string, queue: string): boolean {
  return situation
    .samples(queueFamilies.delayed)
    .some(({ labels }) => labels.engine === engine && labels.queue === queue);
}

function* fullQueues(situation: Situation, share: number): Generator<RuleFinding> {
  for (const { labels, delayed, delayedLimit } of queueLoads(situation)) {
    if (delayedLimit <= 0 || delayed < share * delayedLimit) continue;
    const taken = `${formatPercent(delayed / delayedLimit)} of the delay queue (${formatCount(delayed, 'query', 'queries')})`;
    yield {
      labels: { node: '', ...labels },
      facts: { where: describeQueue('', labels.engine, labels.queue), pressure: taken },
    };
  }
}

function describeQueue(node: string, engine: string, queue: string): string {
  return node === '' ? `in the workload queue ${queue} of ${engine}` : `on ${node}`;
}

function longestWaits(situation: Situation): ReadonlyMap<string, number> {
  const waits = new Map<string, number>();
  for (const { labels, value } of situation.samples(oldest)) {
    const { node = '' } = labels;
    waits.set(node, Math.max(waits.get(node) ?? 0, value));
  }
  return waits;
}
