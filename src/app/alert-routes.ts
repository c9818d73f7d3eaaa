import type { AlertView } from '../alert/alert-view.ts';
import type { Silence } from '../alert/alerting.ts';
import { silenceAsked, silenceId } from '../alert/silences.ts';
import type { Config } from '../config/config.ts';
import type { OperatorAct } from '../guard/keeping/action-rows.ts';
import type { IncomingRequest, OutgoingReply } from '../kernel/listener.ts';
import type { Logger } from '../kernel/logger.ts';
import type { Result } from '../kernel/result.ts';
import type { Random } from '../kernel/system.ts';
import type { Instant } from '../kernel/time.ts';
import { severities } from '../model/alert.ts';
import { type AlertReport, phases, reportAlerts, reportSilence } from './alert-report.ts';
import { whyNotOperator } from './lifecycle-routes.ts';
import { paged, pageSchema, pagingParameters } from './paging.ts';
import { json, problem } from './reply.ts';
import type { Route } from './routes.ts';

/** What the routes of alerting look at and work with. */
export interface AlertDesk {
  readonly log: Logger;
  readonly random: Random;
  config(): Pick<Config, 'operators' | 'externalUrl'>;
  /** The names of all rules. */
  readonly rules: readonly string[];
  alerts(): readonly AlertView[];
  silences(): readonly Silence[];
  /** It holds from then on even where it could not be stored, which is the error. The act is stored with it. */
  silence(silence: Silence, act: OperatorAct): Promise<Result<void, string>>;
  /** False where there is no such silence. */
  unsilence(id: string, act: OperatorAct): Promise<Result<boolean, string>>;
  now(): Instant;
}

const largestBody = 16_384;
/** Every alert is compared with every silence, time and again. */
const mostSilences = 1000;

const text = { type: 'string' };
const texts = { type: 'object', additionalProperties: text };
const textOrNull = { type: ['string', 'null'] };
const instant = { type: 'string', format: 'date-time' };
const severity = { enum: severities };
const phase = { enum: phases };

const alertSchema = {
  type: 'object',
  properties: {
    key: text,
    episode: { type: 'integer', minimum: 0 },
    cluster: text,
    rule: text,
    severity,
    phase,
    labels: texts,
    annotations: texts,
    startsAt: instant,
    endsAt: { ...instant, type: ['string', 'null'] },
    silencedBy: textOrNull,
    inhibitedBy: textOrNull,
    maintenance: textOrNull,
  },
};

const words = { startsAt: instant, endsAt: instant, author: text, reason: text };
const valueList = { type: 'array', items: text, minItems: 1 };

const silenceSchema = {
  type: 'object',
  properties: { id: text, match: { type: 'object', additionalProperties: valueList }, ...words },
};

const requestSchema = {
  type: 'object',
  required: ['match', 'author', 'reason'],
  oneOf: [{ required: ['endsAt'] }, { required: ['duration'] }],
  properties: {
    match: { type: 'object', additionalProperties: { anyOf: [text, valueList] }, minProperties: 1 },
    ...words,
    duration: { ...text, examples: ['2h'] },
  },
};

const forbidden = { 403: 'Only an operator, or without authentication a local caller, may do this.' };
const unstored = { 503: 'It is so, but could not be stored: a restart forgets it.' };

/** What fires, and what nobody wants to hear of for a while. */
export function alertRoutes(desk: AlertDesk): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/api/v1/alerts',
      about: 'Alerts that fire, are about to, or did not long ago: the most urgent first.',
      parameters: [
        { name: 'cluster', about: 'Only those of this cluster; empty: about ourselves.', schema: text },
        { name: 'severity', about: 'Only those of this severity.', schema: severity },
        { name: 'phase', about: 'Only those in this phase.', schema: phase },
        { name: 'rule', about: 'Only those of this rule.', schema: { enum: desk.rules } },
        ...pagingParameters,
      ],
      gives: { type: 'application/json', schema: pageSchema(alertSchema) },
      problems: { 400: 'A parameter is unknown or out of range.' },
      handle: async ({ query }) => paged(reportAlerts(desk.alerts()), query, filters),
    },
    {
      method: 'GET',
      path: '/api/v1/silences',
      about: 'Silences that hold or will, the first to end first.',
      parameters: pagingParameters,
      gives: { type: 'application/json', schema: pageSchema(silenceSchema) },
      problems: { 400: 'A parameter is unknown or out of range.' },
      handle: async ({ query }) => paged(desk.silences().map(reportSilence), query, {}),
    },
    {
      method: 'POST',
      path: '/api/v1/silences',
      about: 'Holds back the alerts that match, until an end; never the news that one is over. It needs who and why.',
      takes: requestSchema,
      gives: { type: 'application/json', schema: silenceSchema },
      problems: { 400: 'What is asked for is no silence.', ...forbidden, ...unstored },
      handle: (request) => silence(desk, request),
    },
    {
      method: 'DELETE',
      path: '/api/v1/silences/{id}',
      about: 'Ends a silence: what still fires is told now.',
      gives: { type: 'application/json' },
      problems: { ...forbidden, 404: 'There is no such silence.', ...unstored },
      handle: (request, { id = '' }) => unsilence(desk, request, id),
    },
  ];
}

const filters: Readonly<Record<string, (item: AlertReport) => string>> = {
  cluster: (item) => item.cluster,
  severity: (item) => item.severity,
  phase: (item) => item.phase,
  rule: (item) => item.rule,
};

async function silence(desk: AlertDesk, request: IncomingRequest): Promise<OutgoingReply> {
  const refusal = whyNotOperator(request, desk.config());
  if (refusal !== undefined) return problem(403, refusal);
  const body = parsed(await request.text(largestBody));
  const asked = silenceAsked(body, silenceId(desk.random), desk.now().wall);
  if (!asked.ok) return problem(400, `No silence: ${asked.error}.`);
  if (desk.silences().length >= mostSilences) {
    return problem(400, `There are ${mostSilences} silences already: end some of them first.`);
  }
  const stored = await desk.silence(asked.value, silencing(asked.value, who(request), desk.now().wall));
  const report = reportSilence(asked.value);
  desk.log.info('alerts were silenced', { ...report, by: who(request) });
  if (stored.ok) return json(report);
  return problem(503, `The silence ${report.id} holds, but a restart forgets it: ${stored.error}`);
}

async function unsilence(desk: AlertDesk, request: IncomingRequest, id: string): Promise<OutgoingReply> {
  const refusal = whyNotOperator(request, desk.config());
  if (refusal !== undefined) return problem(403, refusal);
  const by = who(request);
  const act: OperatorAct = { at: desk.now().wall, what: 'unsilence', by, cluster: '', subject: id, reason: '' };
  const ended = await desk.unsilence(id, act);
  if (ended.ok && !ended.value) return problem(404, 'There is no such silence.');
  desk.log.info('a silence was ended', { id, by });
  if (ended.ok) return json({ ended: true });
  return problem(503, `The silence ${id} is over, but a restart brings it back: ${ended.error}`);
}

/** As the audit keeps it: `k3n… until 2026-01-31T14:00:00.000Z: node=m1|m2`. */
function silencing({ id, match, endsAt, reason }: Silence, by: string, at: number): OperatorAct {
  const asked = Object.entries(match).map(([label, values]) => `${label}=${values.join('|')}`);
  const subject = `${id} until ${new Date(endsAt).toISOString()}: ${asked.join(', ')}`;
  const [cluster = '', ...others] = match.cluster_name ?? [];
  return { at, what: 'silence', by, cluster: others.length === 0 ? cluster : '', subject, reason };
}

function who({ user, remoteAddress }: IncomingRequest): string {
  return user ?? remoteAddress;
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
