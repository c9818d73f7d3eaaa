import type { SelfRule } from '../rule.ts';

/** What happens is remembered by this process alone: a restart would forget it. */
export const stateNotDurable: SelfRule = {
  name: 'state_not_durable',
  about: 'What happens cannot be written to disk.',
  scope: 'self',
  severity: 'critical',
  hold: 60_000,
  keepFiring: 60_000,
  thresholds: [],
  labels: [],
  summary: 'graphwarden cannot write its state',
  description:
    'What happens is kept in memory alone: {{trouble}}. Alerts are sent all the same; after a restart some would be sent again and some ends would be missing.',
  twin: 'graphwarden_state_durable == 0',
  *judge({ stateDurable, stateTrouble }) {
    if (!stateDurable && stateTrouble !== '') yield { labels: {}, facts: { trouble: stateTrouble } };
  },
};
