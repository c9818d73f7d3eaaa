import type { ClusterRule } from '../rule.ts';
import { gibibytes, lengthOf } from './words.ts';

const family = 'graphdb_disk_free_bytes';

/** A trend of less than half an hour is none. */
const soonFull = `(${family} < deriv(${family}[6h]) * -{{full_within}} and present_over_time(${family}[5m] offset 30m))`;

/**
 * A file system runs full: by what is free, and by when it will be at the present pace. What directories use is never
 * divided by what a file system has free: they are measured of different things.
 */
export const diskFilling: ClusterRule = {
  name: 'disk_filling',
  about: 'A file system has little space left, or will have none soon.',
  scope: 'cluster',
  severity: 'warning',
  hold: 300_000,
  keepFiring: 300_000,
  thresholds: [
    { name: 'below_bytes', about: 'Free space below which it warns.', unit: 'bytes', value: 10 * 2 ** 30 },
    {
      name: 'critical_bytes',
      about: 'Free space below which it pages.',
      unit: 'bytes',
      value: 2 * 2 ** 30,
      atMost: 'below_bytes',
    },
    { name: 'full_within', about: 'Time within which it will be full at its pace.', unit: 'seconds', value: 86_400 },
  ],
  labels: ['host_id', 'mount_point'],
  needs: ['metrics'],
  families: [family],
  slopes: [family],
  summary: '{{mount_point}} on {{host_id}} of {{cluster_name}} runs full: {{free}} left{{forecast}}',
  description:
    '{{free}} are free on {{mount_point}} of {{host_id}}{{forecast}}. A full disk makes services read-only and stops loading. Look at logs, old backups and Kafka topics on this file system.',
  twin: `${family} >= {{critical_bytes}} and (${family} < {{below_bytes}} or ${soonFull})`,
  otherTwins: [
    {
      severity: 'critical',
      twin: `${family} < {{critical_bytes}} and (${family} < {{below_bytes}} or ${soonFull})`,
    },
  ],
  *judge(situation, { below_bytes: low = 0, critical_bytes: grave = 0, full_within: within = 0 }) {
    for (const { labels, value } of situation.samples(family)) {
      const { host_id = '', mount_point = '' } = labels;
      const slope = situation.slope(family, labels) ?? 0;
      const left = slope < 0 ? value / -slope : Number.POSITIVE_INFINITY;
      if (value >= low && left >= within) continue;
      const forecast = left < within ? `, full in ${lengthOf(left * 1000)} at this pace` : '';
      yield {
        labels: { host_id, mount_point },
        facts: { free: gibibytes(value), forecast },
        ...(value < grave ? { severity: 'critical' } : {}),
      };
    }
  },
};
