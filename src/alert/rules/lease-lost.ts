import { formatMoment } from '../../kernel/timestamp.ts';
import type { SelfRule } from '../rule.ts';

/** A replica did not renew its leases in time, and another one took its clusters over. */
export const leaseLost: SelfRule = {
  name: 'lease_lost',
  about: 'A replica did not renew the lease of a cluster in time, and another replica took the cluster over.',
  scope: 'self',
  severity: 'warning',
  for: 0,
  keepFiringFor: 60_000,
  thresholds: [],
  labels: [],
  summary: 'Replica {{replica}} of graphwarden lost clusters to another replica',
  description:
    'At {{when}} another replica took over clusters of {{replica}}, which did not renew its leases in time. It was killed or stalled, or did not reach the database. Check the replica and its connection to the database.',
  resolved: 'No replica has lost a lease for ten minutes.',
  twin: 'increase(graphwarden_lease_changes_total{change=~"taken_over|lost"}[10m]) > 0',
  twinTexts: {
    summary: 'A replica of graphwarden lost clusters to another replica',
    description:
      'A replica did not renew its leases in time, and another one took its clusters over (graphwarden_lease_changes_total shows which). It was killed or stalled, or did not reach the database. Check the replica and its connection to the database.',
  },
  *evaluate({ ownership }) {
    const { takeover } = ownership ?? {};
    if (takeover === undefined) return;
    const { at, from } = takeover;
    yield { labels: {}, facts: { replica: from, when: formatMoment(at) }, since: at };
  },
};
