import type { SelfRule } from '../rule.ts';

/** Heartbeat that always fires, so that an external system can detect its absence. */
export const watchdog: SelfRule = {
  name: 'watchdog',
  about: "Heartbeat (dead man's switch): always fires, and notifies only receivers with `heartbeat: true`.",
  scope: 'self',
  severity: 'info',
  for: 0,
  keepFiringFor: 0,
  thresholds: [],
  labels: [],
  summary: 'graphwarden is running',
  description:
    'This alert always fires while graphwarden can send notifications. If it stops, monitoring and alerting have stopped.',
  resolved: 'graphwarden does not send the heartbeat.',
  twin: 'vector(1)',
  *evaluate() {
    yield { labels: {}, facts: {} };
  },
};
