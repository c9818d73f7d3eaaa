import { formatElapsed } from '../../kernel/duration.ts';
import type { SelfRule } from '../rule.ts';

/** A receiver accepts no notifications: all other receivers are notified of that. */
export const deliveryFailing: SelfRule = {
  name: 'delivery_failing',
  about: 'A receiver of alerts is broken or does not answer.',
  scope: 'self',
  severity: 'critical',
  for: 0,
  // A flapping receiver is one incident, and after a restart its state is unknown until the first delivery.
  keepFiringFor: 60_000,
  thresholds: [],
  labels: ['receiver'],
  summary: 'Receiver {{receiver}} does not accept notifications',
  description:
    'The receiver {{receiver}} has accepted no notification for {{lasting}} (result: {{result}}). {{depth}} notifications are pending and {{parked}} are parked. Test it: graphwarden alert test --receiver {{receiver}}.',
  resolved: 'The receiver {{receiver}} accepts notifications.',
  twin: 'graphwarden_receiver_failing == 1',
  *evaluate({ receivers }, _, now) {
    for (const { receiver, failing, failingSince = now.wall, result, depth, parked } of receivers) {
      if (!failing) continue;
      const counts = { depth: String(depth), parked: String(parked) };
      yield { labels: { receiver }, facts: { result, lasting: formatElapsed(now.wall - failingSince), ...counts } };
    }
  },
};
