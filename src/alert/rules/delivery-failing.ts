import type { SelfRule } from '../rule.ts';
import { lengthOf } from './words.ts';

/** A receiver takes nothing: whoever relies on it hears nothing, which is told by all other ways. */
export const deliveryFailing: SelfRule = {
  name: 'delivery_failing',
  about: 'A receiver of alerts is broken or does not answer.',
  scope: 'self',
  severity: 'critical',
  hold: 0,
  // One that comes and goes is one incident, and after a restart it has to be asked first.
  keepFiring: 60_000,
  thresholds: [],
  labels: ['receiver'],
  summary: 'Alerts do not reach {{receiver}}',
  description:
    'The receiver {{receiver}} has taken nothing for {{lasting}} ({{result}}); {{depth}} alerts wait and {{parked}} were given up. Try graphwarden alert test --receiver {{receiver}}.',
  twin: 'graphwarden_receiver_failing == 1',
  *judge({ receivers }, _, now) {
    for (const { receiver, failing, failingSince = now.wall, result, depth, parked } of receivers) {
      if (!failing) continue;
      const counts = { depth: String(depth), parked: String(parked) };
      yield { labels: { receiver }, facts: { result, lasting: lengthOf(now.wall - failingSince), ...counts } };
    }
  },
};
