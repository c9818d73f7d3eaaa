import type { OutgoingReply } from '../kernel/listener.ts';
import type { Store } from '../kernel/store.ts';
import type { Instant } from '../kernel/time.ts';
import { abortOutcomes } from '../model/abort-outcomes.ts';
import { auditColumns, auditConditions, readAudit } from './guard-audit.ts';
import { pageOf, pageSchema, pagingParameters } from './paging.ts';
import type { Parameter } from './parameters.ts';
import { json, problem } from './reply.ts';
import type { Route } from './routes.ts';

/** What the route of the audit looks at. */
export interface AuditDesk {
  readonly store: Store;
  now(): Instant;
}

const text = { type: 'string' };
const instant = { type: 'string', format: 'date-time' };
const instantOrNull = { type: ['string', 'null'], format: 'date-time' };
const seconds = { type: ['number', 'null'] };

const entrySchema = {
  type: 'object',
  properties: {
    kind: { enum: ['abort', 'act'] },
    at: instant,
    cluster: text,
    node: text,
    id: text,
    graph: text,
    query: text,
    policy: text,
    policyHash: text,
    by: text,
    reason: text,
    what: text,
    subject: text,
    ageSeconds: seconds,
    grantedTimeoutSeconds: seconds,
    matchedAt: instantOrNull,
    dueAt: instantOrNull,
    firstSeenAt: instantOrNull,
    lastSeenAt: instantOrNull,
    pressures: { type: 'object', additionalProperties: { type: 'number' } },
    notify: { type: 'array', items: text },
    outcome: { enum: ['', ...abortOutcomes] },
    endedAt: instantOrNull,
    doubt: text,
    damaged: { type: 'boolean' },
  },
};

const moment = 'a length of time before now such as 7d, or a moment such as 2026-01-31T12:00:00Z';

/** What was aborted, by whom or what, why and with what outcome; and what operators did. */
export function guardAuditRoute(desk: AuditDesk): Route {
  return {
    method: 'GET',
    path: '/api/v1/guard/audit',
    about: 'Every abort that was decided on, with its evidence and outcome, and what operators did: the latest first.',
    parameters: [
      ...auditColumns.map((name) => filter(name, `Only those whose ${name} is this.`)),
      filter('since', `Only those from then on: ${moment}.`),
      filter('until', `Only those before then: ${moment}.`),
      ...pagingParameters,
    ],
    gives: { type: 'application/json', schema: pageSchema(entrySchema) },
    problems: { 400: 'A parameter is unknown or out of range.', 503: 'What was stored cannot be read.' },
    handle: ({ query }) => audit(desk, query),
  };
}

async function audit(desk: AuditDesk, query: URLSearchParams): Promise<OutgoingReply> {
  const page = pageOf(query);
  if (!page.ok) return problem(400, page.error);
  const where = auditConditions(query, desk.now().wall);
  if (!where.ok) return problem(400, where.error);
  const found = await readAudit(desk.store, where.value, page.value);
  return found.ok ? json({ ...found.value, ...page.value }) : problem(503, found.error);
}

function filter(name: string, about: string): Parameter {
  return { name, about, schema: text };
}
