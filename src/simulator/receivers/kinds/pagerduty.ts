import { z } from 'zod';
import { json } from '../../replies.ts';
import { jsonOf, type Kind, type Taking, textOf } from '../kind.ts';

const envelope = { routing_key: z.string().length(32), dedup_key: z.string().max(255).optional() };
const event = z.discriminatedUnion('event_action', [
  z.object({
    ...envelope,
    event_action: z.literal('trigger'),
    payload: z.object({
      summary: z.string().min(1).max(1024),
      source: z.string().min(1),
      severity: z.enum(['critical', 'error', 'warning', 'info']),
      timestamp: z.iso.datetime({ offset: true }).optional(),
      custom_details: z.record(z.string(), z.unknown()).optional(),
    }),
  }),
  z.object({ ...envelope, event_action: z.enum(['acknowledge', 'resolve']), dedup_key: z.string().min(1).max(255) }),
]);
type Event = z.infer<typeof event>;

/** The most that PagerDuty reads of one event. */
const maxBytes = 512 * 1024;

/** PagerDuty's Events API v2. */
export const pagerduty: Kind = {
  address: '',
  path: '/v2/enqueue',
  take(body) {
    if (new TextEncoder().encode(body).length > maxBytes) return invalid(413, ['the event is larger than 512 KB']);
    const read = event.safeParse(jsonOf(body));
    if (!read.success) {
      return invalid(
        400,
        read.error.issues.map(({ path, message }) => `'${path.join('.')}': ${message}`),
      );
    }
    const key = read.data.dedup_key ?? '';
    const reply = json({ status: 'success', message: 'Event processed', dedup_key: key }, 202);
    return { kept: toldBy(read.data, key), reply };
  },
};

function invalid(status: number, errors: readonly string[]): Taking {
  return { kept: [], reply: json({ status: 'invalid event', message: 'Event object is invalid', errors }, status) };
}

function toldBy(read: Event, key: string): Taking['kept'] {
  if (read.event_action !== 'trigger') {
    return read.event_action === 'resolve' ? [{ action: 'resolve', key, episode: '', summary: '' }] : [];
  }
  const { summary, custom_details: details } = read.payload;
  return [{ action: 'trigger', key, episode: textOf(details?.episode), summary }];
}
