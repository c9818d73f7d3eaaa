import type { SelfRule } from '../rule.ts';

/** Heartbeat that always fires, so that an external system can detect its absence. */
export const watchdog: SelfRule = {
  name: 'watchdog',
  about: 'Heartbeat: always fires, and notifies only receivers with `heartbeat: true`.',
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
  twinTexts: {
    summary: 'Prometheus evaluates the rules of graphwarden',
    description:
      'This alert fires as long as Prometheus evaluates these rules and reaches its Alertmanager. If it stops, monitoring is broken.',
  },
  *evaluate() {
    yield { labels: {}, facts: {} };
  },
};
