import type { SelfRule } from '../rule.ts';

/** Fires always, so that somebody else can notice when it stops: the switch of the dead man. */
export const watchdog: SelfRule = {
  name: 'watchdog',
  about: "The dead-man's heartbeat: fires always, only to receivers with `heartbeat: true`.",
  scope: 'self',
  severity: 'info',
  hold: 0,
  keepFiring: 0,
  thresholds: [],
  labels: [],
  summary: 'graphwarden is alive',
  description: 'This alert fires as long as graphwarden can send alerts. When it stops coming, nobody watches.',
  twin: 'vector(1)',
  *judge() {
    yield { labels: {}, facts: {} };
  },
};
