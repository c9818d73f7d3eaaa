import type { ReceivedNotification } from '../../../src/model/simulated-receiver.ts';
import type { ReceivedRequest } from '../../../src/simulator/receivers/received-request.ts';

/** Time of the requests: four in the morning, UTC. */
export const receivedAt = Date.UTC(2026, 8, 22, 4, 5, 6);

/** Returns a received request, accepted by default. */
export function receivedRequest(
  words: readonly ReceivedNotification[],
  more: Partial<ReceivedRequest> = {},
): ReceivedRequest {
  return {
    receiver: 'oncall',
    kind: 'pagerduty',
    at: receivedAt,
    headers: {},
    body: '',
    notifications: words,
    isAccepted: true,
    status: 202,
    answer: 'sent',
    ...more,
  };
}

/** Returns a notification of a request. */
export function receivedNotification(
  action: ReceivedNotification['action'],
  key: string,
  more: Partial<ReceivedNotification> = {},
): ReceivedNotification {
  return { action, key, episode: '', summary: `about ${key}`, ...more };
}
