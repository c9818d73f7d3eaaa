import { identityKeyOf } from '../../src/alert/active-alert.ts';
import type { Incident } from '../../src/alert/incident.ts';

const at = { wall: Date.UTC(2026, 8, 22, 4, 53, 20), mono: 1000 };

/** Returns a firing incident of this rule with this identity. */
export function firingIncident(
  rule: string,
  identity: Readonly<Record<string, string>>,
  more: Partial<Incident> = {},
): Incident {
  const identityKey = identityKeyOf('prod', rule, 'warning', identity);
  return {
    identityKey,
    key: `hash of ${identityKey}`,
    cluster: 'prod',
    rule,
    severity: 'warning',
    labels: { alertname: rule, severity: 'warning', cluster_name: 'prod', ...identity },
    identity,
    facts: {},
    receivers: [],
    annotations: { summary: 'a summary' },
    phase: 'firing',
    number: 7,
    startsAt: at.wall,
    for: 0,
    activeAt: at,
    lastActiveAt: at,
    notified: {},
    ...more,
  };
}
