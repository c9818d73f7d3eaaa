import { z } from 'zod';
import { json } from '../../replies.ts';
import { jsonOf, type Kind, type Taking } from '../kind.ts';
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
    const alerts = z.array(postable).safeParse(jsonOf(body));
    if (!alerts.success) return unreadable(alerts.error.issues);
    const faults = alerts.data.flatMap((alert) => faultOf(alert) ?? []);
    const kept = alerts.data.filter((alert) => faultOf(alert) === undefined).map((alert) => toldBy(alert, now));
    const isWhole = faults.length === 0;
    return { kept, reply: isWhole ? { status: 200, headers: {}, body: '' } : json(faults.join('; '), 400) };
  },
};

/** A missing member has another code than one that cannot be read. */
function unreadable(issues: readonly z.core.$ZodIssue[]): Taking {
  const said = issues.map(({ path, message }) => `${path.join('.')} ${message}`).join('; ');
  const isMissing = issues.every((issue) => issue.code === 'invalid_type' && issue.path.at(-1) === 'labels');
  if (isMissing) return { kept: [], reply: json({ code: 602, message: said }, 422) };
  return { kept: [], reply: json({ code: 400, message: `parsing alerts body from "" failed, because ${said}` }, 400) };
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
