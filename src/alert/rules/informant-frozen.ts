import { formatElapsed } from '../../kernel/duration.ts';
import type { ClusterRule } from '../rule.ts';

const family = 'graphdb_informant_collected_timestamp_seconds';

/** The server returns outdated values of a host, so that no metric of the host is reliable. */
export const informantFrozen: ClusterRule = {
  name: 'informant_frozen',
  about: 'The informant of a host still returns values, but has not collected new ones for a long time.',
  scope: 'cluster',
  severity: 'warning',
  // After an outage, a host has old values until its next measurement; for its disks that takes up to five minutes.
  for: 300_000,
  keepFiringFor: 60_000,
  thresholds: [
    { name: 'older_than', about: 'Age of the newest values above which the alert fires.', unit: 'seconds', value: 600 },
  ],
  labels: ['host_id', 'category'],
  needs: ['categories'],
  families: [family],
  summary: 'The informant of {{host_id}} in {{cluster_name}} no longer collects {{category}}',
  description:
    'The {{category}} metrics of {{host_id}} are {{age}} old, although the server replies. Do not trust CPU, memory and disk values of this host. Restart the informant (IFM) and the executor (EXE) on it.',
  resolved: 'The informant of {{host_id}} collects {{category}} again.',
  twin: `time() - ${family} > {{older_than}}`,
  *evaluate(situation, { older_than: limit = 0 }, now) {
    for (const { labels, value } of situation.samples(family)) {
      const age = now.wall - value * 1000;
      if (age <= limit * 1000) continue;
      const { host_id = '', category = '' } = labels;
      yield { labels: { host_id, category }, facts: { age: formatElapsed(age) } };
    }
  },
};
