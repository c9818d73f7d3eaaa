import { formatMinute } from '../../kernel/timestamp.ts';
import type { ClusterRule } from '../rule.ts';
import { formatCount } from './text-format.ts';

const family = 'graphdb_license_expiration_timestamp_seconds';
const day = 86_400_000;

/** The license expires soon. The server stops without a license. */
export const licenseExpiring: ClusterRule = {
  name: 'license_expiring',
  about: 'The license of the server expires soon.',
  scope: 'cluster',
  severity: 'warning',
  for: 0,
  keepFiringFor: 60_000,
  thresholds: [
    {
      name: 'within',
      about: 'Time until the license expires, below which the alert is a warning.',
      unit: 'seconds',
      value: 30 * 86_400,
    },
    {
      name: 'critical_within',
      about: 'Time until the license expires, below which the alert is critical.',
      unit: 'seconds',
      value: 3 * 86_400,
      atMost: 'within',
    },
  ],
  labels: [],
  needs: ['license'],
  families: [family],
  summary: 'The license of {{cluster_name}} {{expiry}}',
  description:
    'The license of {{cluster_name}} {{expiry}} (end: {{date}}). Order and apply a new license before that: without a license the server stops.',
  resolved: 'The license of {{cluster_name}} {{validity}}.',
  twin: `${family} - time() < {{within}} unless ${family} - time() < {{critical_within}}`,
  severityTwins: [
    {
      severity: 'critical',
      twin: `${family} - time() < {{within}} and ${family} - time() < {{critical_within}}`,
    },
  ],
  twinTexts: {
    summary: 'The license of {{cluster_name}} expires in {{left}}',
    description:
      'The license of {{cluster_name}} expires in {{left}}. Order and apply a new license before that: without a license the server stops.',
  },
  current(situation) {
    const ends = situation.samples(family).map(({ value }) => value * 1000);
    const validity = ends.length === 0 ? 'is not reported' : `is valid until ${formatMinute(Math.min(...ends))}`;
    return { validity };
  },
  *evaluate(situation, { within = 0, critical_within: grave = 0 }, now) {
    for (const { value } of situation.samples(family)) {
      const left = value * 1000 - now.wall;
      if (left >= within * 1000) continue;
      yield {
        labels: {},
        facts: { expiry: describeExpiry(left), date: formatMinute(value * 1000) },
        ...(left < grave * 1000 ? { severity: 'critical' } : {}),
      };
    }
  },
};

function describeExpiry(left: number): string {
  if (left <= 0) return 'has expired';
  return left < day ? 'expires in less than a day' : `expires in ${formatCount(Math.floor(left / day), 'day')}`;
}
