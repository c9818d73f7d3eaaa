import { formatElapsed } from '../../kernel/duration.ts';
import type { ClusterRule } from '../rule.ts';
import { formatGibibytes } from './text-format.ts';

const family = 'graphdb_disk_free_bytes';

/** A disk that is nearly full pages after two poll results, however long the warning waits. */
const criticalFor = 30_000;

/** Free space that falls, with samples of at least half an hour, so that it is used up within the threshold. */
const fullSoonQuery = `(${family} < deriv(${family}[6h]) * -{{full_within}} and present_over_time(${family}[5m] offset 30m))`;

/**
 * A file system runs full, by its free space and by the time at which it is full at the current rate. The rule never
 * relates the size of directories to the free space of a file system, because they may be on different file systems.
 */
export const diskFilling: ClusterRule = {
  name: 'disk_filling',
  about: 'A file system has little free space, or will be full soon.',
  scope: 'cluster',
  severity: 'warning',
  for: 300_000,
  keepFiringFor: 300_000,
  thresholds: [
    {
      name: 'below_bytes',
      about: 'Free space below which the alert is a warning.',
      unit: 'bytes',
      value: 10 * 2 ** 30,
    },
    {
      name: 'critical_bytes',
      about: 'Free space below which the alert is critical.',
      unit: 'bytes',
      value: 2 * 2 ** 30,
      atMost: 'below_bytes',
    },
    {
      name: 'full_within',
      about: 'Predicted time until the file system is full, below which the alert is a warning.',
      unit: 'seconds',
      value: 86_400,
    },
  ],
  labels: ['host_id', 'mount_point'],
  needs: ['metrics'],
  families: [family],
  slopes: [family],
  summary: 'Disk {{mount_point}} on {{host_id}} of {{cluster_name}} is filling up: {{free}} free{{forecast}}',
  description:
    '{{free}} are free on {{mount_point}} of {{host_id}}{{forecast}}. A full disk makes services read-only and stops loading. Check logs, old backups and Kafka topics on this file system.',
  resolved: '{{free}} are free on {{mount_point}} of {{host_id}}.',
  twin: `${family} >= {{critical_bytes}} and (${family} < {{below_bytes}} or ${fullSoonQuery})`,
  severityTwins: [
    {
      severity: 'critical',
      twin: `${family} < {{critical_bytes}}`,
      for: criticalFor,
    },
  ],
  twinTexts: { facts: { forecast: '' } },
  current(situation, { host_id, mount_point }) {
    const own = situation
      .samples(family)
      .find(({ labels }) => labels.host_id === host_id && labels.mount_point === mount_point);
    return { free: own === undefined ? 'An unknown number of bytes' : formatGibibytes(own.value) };
  },
  *evaluate(situation, { below_bytes: low = 0, critical_bytes: grave = 0, full_within: within = 0 }) {
    for (const { labels, value } of situation.samples(family)) {
      const { host_id = '', mount_point = '' } = labels;
      const slope = situation.slope(family, labels) ?? 0;
      const left = slope < 0 ? value / -slope : Number.POSITIVE_INFINITY;
      if (value >= grave && value >= low && left >= within) continue;
      const forecast = left < within ? `, full in ${formatElapsed(left * 1000)} at this rate` : '';
      yield {
        labels: { host_id, mount_point },
        facts: { free: formatGibibytes(value), forecast },
        ...(value < grave ? { severity: 'critical', for: criticalFor } : {}),
      };
    }
  },
};
