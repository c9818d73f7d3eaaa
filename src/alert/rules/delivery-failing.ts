import { formatElapsed } from '../../kernel/duration.ts';
import type { ReceiverView } from '../../model/situation.ts';
import type { SelfRule } from '../rule.ts';

/** A receiver accepts no notifications, or rejects a recipient: all other receivers are notified of that. */
export const deliveryFailing: SelfRule = {
  name: 'delivery_failing',
  about: 'A receiver of alerts is broken, does not answer, or rejects a recipient.',
  scope: 'self',
  severity: 'critical',
  for: 0,
  // A flapping receiver is one incident, and after a restart its state is unknown until the first delivery.
  keepFiringFor: 60_000,
  thresholds: [],
  labels: ['receiver'],
  summary: 'Notifications to receiver {{receiver}} fail',
  description:
    'The receiver {{receiver}} {{failure}}. Pending notifications: {{depth}}; parked: {{parked}}. Test it: graphwarden alert test --receiver {{receiver}}.',
  resolved: 'The receiver {{receiver}} accepts notifications.',
  twin: 'graphwarden_receiver_failing == 1',
  twinTexts: {
    description:
      'The receiver {{receiver}} of graphwarden rejects notifications or one of its recipients, or has not responded for long. graphwarden_notifications_total shows the results. Test it: graphwarden alert test --receiver {{receiver}}.',
  },
  *evaluate({ receivers }, _, now) {
    for (const view of receivers) {
      const { receiver, failing, failingSince = now.wall, result, depth, parked } = view;
      if (!failing) continue;
      const counts = { depth: String(depth), parked: String(parked) };
      const lasting = formatElapsed(now.wall - failingSince);
      yield { labels: { receiver }, facts: { failure: failureOf(view, lasting), result, lasting, ...counts } };
    }
  },
};

/** Returns what fails, since when and why, as the rest of a sentence about the receiver. */
function failureOf({ rejectedRecipient, rejected = 0, reason, result }: ReceiverView, lasting: string): string {
  if (rejectedRecipient !== undefined)
    return `has not reached all of its recipients for ${lasting}: ${rejectedRecipient}`;
  const why = reason === undefined ? ` (result: ${result})` : `: ${reason}`;
  if (rejected === 0) return `has accepted no notification for ${lasting}${why}`;
  const what = rejected === 1 ? 'a notification' : `${rejected} notifications, the first one`;
  return `has rejected ${what} ${lasting} ago${why}`;
}
