import { z } from 'zod';
import { json } from '../../replies.ts';
import { jsonOf, type Kind } from '../kind.ts';
import type { Told } from '../letter.ts';

const instant = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));
const texts = z.record(z.string(), z.string());
const postable = z.object({
  labels: texts,
  annotations: texts.default({}),
  startsAt: instant.optional(),
  endsAt: instant.optional(),
  generatorURL: z.string().optional(),
});
type Postable = z.infer<typeof postable>;

const labelName = /^[a-zA-Z_][a-zA-Z0-9_]*$/;

/** Alertmanager's `POST /api/v2/alerts`: of a request with faults it keeps the alerts that have none. */
export const alertmanager: Kind = {
  address: '',
  path: '/api/v2/alerts',
  take(body, now) {
    const parsed = jsonOf(body);
    if (parsed === undefined) return { kept: [], reply: problem(400, 400, 'parsing alerts body from "" failed') };
    const alerts = z.array(postable).safeParse(parsed);
    if (!alerts.success) return { kept: [], reply: problem(422, 602, alerts.error.issues[0]?.message ?? '') };
    const faults = alerts.data.map(faultOf);
    const kept = alerts.data.filter((_, index) => faults[index] === undefined).map((alert) => toldBy(alert, now));
    const fault = faults.find((one) => one !== undefined);
    return { kept, reply: fault === undefined ? { status: 200, headers: {}, body: '' } : json(fault, 400) };
  },
};

function problem(status: number, code: number, message: string) {
  return json({ code, message }, status);
}

function faultOf({ labels, startsAt, endsAt }: Postable): string | undefined {
  const named = Object.entries(labels).filter(([, value]) => value !== '');
  if (named.length === 0) return 'at least one label pair required';
  const wrong = named.find(([name]) => !labelName.test(name));
  if (wrong !== undefined) return `invalid label set: invalid name "${wrong[0]}"`;
  if (startsAt !== undefined && endsAt !== undefined && endsAt < startsAt) return 'start time must be before end time';
  return undefined;
}

/** What Alertmanager supposes where no end is given: its `resolve_timeout`. */
const resolveTimeout = 5 * 60_000;

function toldBy({ labels, annotations, endsAt }: Postable, now: number): Told {
  const said = {
    key: identityOf(labels),
    episode: annotations.episode ?? '',
    summary: annotations.summary ?? labels.alertname ?? '',
  };
  if (endsAt !== undefined && endsAt <= now) return { action: 'resolve', ...said };
  return { action: 'trigger', ...said, until: endsAt ?? now + resolveTimeout };
}

function identityOf(labels: Postable['labels']): string {
  return Object.entries(labels)
    .filter(([, value]) => value !== '')
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .join(',');
}
