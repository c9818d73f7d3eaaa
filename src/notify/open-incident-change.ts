import type { StoreChange } from '../kernel/store.ts';
import type { Instant } from '../kernel/time.ts';
import type { AlertNotification } from '../model/alert.ts';
import { withCurrentAlert, withSuppression } from './outbox/alert-queue.ts';
import type { NotificationQueue } from './outbox/notification-queue.ts';

/** Applies a notification that has no receivers of its own: it changes the queue of each receiver that has the incident. */
export function applyToOpenIncident(
  queue: NotificationQueue,
  notification: Exclude<AlertNotification, { readonly kind: 'trigger' }>,
  now: Instant,
): readonly StoreChange[] {
  const { alert, due } = notification;
  if (notification.kind === 'resolve') return queue.enqueueResolve(alert, due, now);
  if (notification.kind === 'acknowledge')
    return queue.enqueueAcknowledgement(alert, { change: notification.change, due }, now);
  const change = notification.kind === 'suppress' ? withSuppression : withCurrentAlert;
  return queue.update(alert.key, (one) => change(one, alert), now);
}
