import type { SelfRule } from '../rule.ts';

/** The state is only in memory, so a restart would lose it. */
export const stateNotDurable: SelfRule = {
  name: 'state_not_durable',
  about: 'State changes cannot be written to the disk, or to the database that replicas share.',
  scope: 'self',
  severity: 'critical',
  for: 60_000,
  keepFiringFor: 60_000,
  thresholds: [],
  labels: [],
  summary: 'graphwarden cannot write its state',
  description:
    'graphwarden keeps its state in memory only: {{problem}}. Notifications are still sent; after a restart some are sent again and some resolves are missing. Check the state directory and its disk, or the database that replicas share.',
  resolved: 'graphwarden writes its state again.',
  twin: 'graphwarden_state_durable == 0',
  twinTexts: {
    description:
      'graphwarden keeps its state in memory only. Its log shows the reason. Notifications are still sent; after a restart some are sent again and some resolves are missing. Check the state directory and its disk, or the database that replicas share.',
  },
  *evaluate({ stateDurable, stateProblem }) {
    if (!stateDurable && stateProblem !== '') yield { labels: {}, facts: { problem: stateProblem } };
  },
};
