import type { ClusterRule } from '../rule.ts';
import { formatGibibytes, formatPercent } from './text-format.ts';

const total = 'graphdb_host_memory_total_bytes';
const available = 'graphdb_host_memory_available_bytes';

/** The engine slows down at 30 % of free memory and aborts queries at 10 %, on hosts with more than 30 GB. */
export const memoryNearAbort: ClusterRule = {
  name: 'memory_near_abort',
  about: 'The free memory of a host nears the point at which the engine aborts queries.',
  scope: 'cluster',
  severity: 'critical',
  for: 120_000,
  keepFiringFor: 300_000,
  thresholds: [
    {
      name: 'below_free',
      about: 'Share of free memory below which the alert is critical.',
      unit: 'ratio',
      value: 0.15,
      above: 0,
      below: 1,
    },
    {
      name: 'throttled_below',
      about: 'Share of free memory below which the alert is a warning; the engine throttles queries.',
      unit: 'ratio',
      value: 0.3,
      below: 1,
    },
    {
      name: 'min_total',
      about:
        'Total memory of a host above which the rule applies; the engine throttles and aborts queries only on such hosts.',
      unit: 'bytes',
      value: 30 * 2 ** 30,
    },
  ],
  labels: ['host_id'],
  needs: ['metrics'],
  families: [total, available],
  summary: 'Only {{free}} of the memory of {{host_id}} in {{cluster_name}} is free',
  description:
    '{{free_bytes}} of {{total_bytes}} are free on {{host_id}}. The engine throttles queries below 30 % and aborts queries below 10 %. Find the largest queries (graphwarden queries) and other processes on this host.',
  resolved: '{{free}} of the memory of {{host_id}} is free.',
  twin: `${available} / ${total} < {{below_free}} and ${total} > {{min_total}}`,
  severityTwins: [
    {
      severity: 'warning',
      twin: `${available} / ${total} < {{throttled_below}} and ${available} / ${total} >= {{below_free}} and ${total} > {{min_total}}`,
    },
  ],
  twinTexts: {
    description:
      '{{free}} of the memory of {{host_id}} is free. The engine throttles queries below 30 % and aborts queries below 10 %. Find the largest queries (graphwarden queries) and other processes on this host.',
  },
  current(situation, { host_id }) {
    const [all = Number.NaN, free = Number.NaN] = [total, available].map(
      (family) => situation.samples(family).find(({ labels }) => labels.host_id === host_id)?.value,
    );
    return Number.isFinite(free / all) ? { free: formatPercent(free / all) } : { free: 'An unknown share' };
  },
  *evaluate(situation, { below_free: low = 0, throttled_below: slow = 0, min_total: least = 0 }) {
    const totals = new Map(situation.samples(total).map(({ labels, value }) => [labels.host_id ?? '', value]));
    for (const { labels, value } of situation.samples(available)) {
      const { host_id = '' } = labels;
      const all = totals.get(host_id) ?? 0;
      const free = value / all;
      if (all <= least || !(free < Math.max(low, slow))) continue;
      yield {
        labels: { host_id },
        facts: { free: formatPercent(free), free_bytes: formatGibibytes(value), total_bytes: formatGibibytes(all) },
        ...(free < low ? {} : { severity: 'warning' }),
      };
    }
  },
};
