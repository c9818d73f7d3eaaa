import type { ClusterRule } from '../rule.ts';
import { queueFamilies as of, queueLabels, queueLoads } from './queue-load.ts';

/** A workload queue is full, and so is its delay queue: the server rejects queries. */
export const queueSaturated: ClusterRule = {
  name: 'queue_saturated',
  about: 'A workload queue of an engine is full, so the server rejects queries.',
  scope: 'cluster',
  severity: 'critical',
  for: 60_000,
  keepFiringFor: 120_000,
  thresholds: [
    {
      name: 'share',
      about: 'Share of used slots from which the delay queue counts as full: slots are briefly free while queries end.',
      unit: 'ratio',
      value: 0.8,
      above: 0,
    },
  ],
  labels: queueLabels,
  needs: ['workload_queues'],
  // An engine that does not answer does not hide the others.
  answeredBy: [of.delayed],
  families: Object.values(of),
  summary: 'The workload queue {{queue}} of {{engine}} of {{cluster_name}} is full, and the server rejects queries',
  description:
    'The workload queue {{queue}} of {{engine}} is at its limits: {{running}} running of at most {{running_limit}}, {{delayed}} delayed of at most {{delayed_limit}}. The server rejects further queries (status 422, REST-14000). Find the queries that occupy it: graphwarden queries.',
  resolved: 'The workload queue {{queue}} of {{engine}} accepts queries.',
  twin: `${of.delayed} >= {{share}} * ${of.delayedLimit} and ${of.running} >= (${of.runningLimit} > 0)`,
  twinTexts: {
    description:
      'The workload queue {{queue}} of {{engine}} runs and delays as many queries as its limits allow. The server rejects further queries (status 422, REST-14000). Find the queries that occupy it: graphwarden queries.',
  },
  dashboard: 'queries',
  *evaluate(situation, { share = 0 }) {
    for (const { labels, running, delayed, runningLimit, delayedLimit } of queueLoads(situation)) {
      if (runningLimit <= 0 || running < runningLimit || delayed < share * delayedLimit) continue;
      yield {
        labels,
        facts: {
          running: String(running),
          running_limit: String(runningLimit),
          delayed: String(delayed),
          delayed_limit: String(delayedLimit),
        },
      };
    }
  },
};
