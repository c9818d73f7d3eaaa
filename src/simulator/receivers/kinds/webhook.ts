import { z } from 'zod';
import { json, text } from '../../replies.ts';
import { jsonOf, type Kind } from '../kind.ts';
import type { Told } from '../letter.ts';

const texts = z.record(z.string(), z.string());
const payload = z.object({
  version: z.literal('4'),
  groupKey: z.string(),
  status: z.enum(['firing', 'resolved']),
  receiver: z.string(),
  alerts: z.array(
    z.object({
      status: z.enum(['firing', 'resolved']),
      labels: texts,
      annotations: texts,
      startsAt: z.string(),
      endsAt: z.string(),
      fingerprint: z.string(),
    }),
  ),
});

/** Somebody's own service that takes Alertmanager's webhook payload. */
export const webhook: Kind = {
  address: '/hook',
  path: '/hook',
  take(body) {
    const read = payload.safeParse(jsonOf(body));
    if (!read.success) return { kept: [], reply: json({ error: z.prettifyError(read.error) }, 400) };
    const kept = read.data.alerts.map(
      ({ status, labels, annotations, fingerprint }): Told => ({
        action: status === 'firing' ? 'trigger' : 'resolve',
        key: fingerprint,
        episode: annotations.episode ?? '',
        summary: annotations.summary ?? labels.alertname ?? '',
      }),
    );
    return { kept, reply: text('') };
  },
};
