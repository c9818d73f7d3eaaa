import type { Config } from '../config/config.ts';
import { readRequestId } from '../graphdb/request-id.ts';
import { readAbortOrder, readBreakerOrder } from '../guard/operator-orders.ts';
import type { IncomingRequest, OutgoingReply } from '../kernel/listener.ts';
import type { Logger } from '../kernel/logger.ts';
import type { Result } from '../kernel/result.ts';
import { abortOutcomes } from '../model/abort-outcomes.ts';
import type { GuardControl, Refusal } from './guard-control.ts';
import { type DecisionReport, reportAbort, reportDecision, reportGuard } from './guard-report.ts';
import { abortSchema, decisionSchema, guardSchema, orderSchemas, pauseSchema } from './guard-schemas.ts';
import { whyNotOperator } from './lifecycle-routes.ts';
import { paged, pageSchema, pagingParameters } from './paging.ts';
import { json, problem } from './reply.ts';
import type { Route, Segments } from './routes.ts';

/** What the routes of the guard look at and work with. */
export interface GuardDesk {
  readonly log: Logger;
  config(): Pick<Config, 'operators' | 'externalUrl' | 'guard' | 'clusters'>;
  control(): GuardControl;
}

const largestBody = 16_384;
const forbidden = { 403: 'Only an operator, or without authentication a local caller, may do this.' };
const unstored = { 503: 'It is so, but could not be stored: a restart forgets it.' };
const statuses: Readonly<Record<Refusal['kind'], number>> = {
  unknown_node: 404,
  unknown_query: 404,
  refused: 409,
  not_stored: 503,
};

/** What the guard decided, and what operators may do about it. */
export function guardRoutes(desk: GuardDesk): readonly Route[] {
  return [decisionsRoute(desk), statusRoute(desk), ...pauseRoutes(desk), resetRoute(desk), abortRoute(desk)];
}

function decisionsRoute(desk: GuardDesk): Route {
  const parameters = Object.keys(filters).map((name) => ({
    name,
    about: `Only those whose ${name} is this${name === 'outcome' || name === 'policy' ? '; empty: those without' : ''}.`,
    schema: name === 'outcome' ? { enum: ['', ...abortOutcomes] } : { type: 'string' },
  }));
  return {
    method: 'GET',
    path: '/api/v1/guard/decisions',
    about: 'What the guard decided, the latest first: under way, done, or what a policy that observes would have done.',
    parameters: [...parameters, ...pagingParameters],
    gives: { type: 'application/json', schema: pageSchema(decisionSchema) },
    problems: { 400: 'A parameter is unknown or out of range.' },
    handle: async ({ query }) => paged(desk.control().decisions().map(reportDecision), query, filters),
  };
}

const filters: Readonly<Record<string, (item: DecisionReport) => string>> = {
  cluster: (item) => item.cluster,
  node: (item) => item.node,
  policy: (item) => item.policy,
  outcome: (item) => item.outcome ?? '',
};

function statusRoute(desk: GuardDesk): Route {
  return {
    method: 'GET',
    path: '/api/v1/guard',
    about: 'Whether the guard is paused and why, what its policies may do, and which breakers are open.',
    gives: { type: 'application/json', schema: guardSchema },
    handle: async () => {
      const { guard, clusters } = desk.config();
      const names = clusters.map(({ name }) => name);
      return json(reportGuard(desk.control(), guard, names));
    },
  };
}

function pauseRoutes(desk: GuardDesk): readonly Route[] {
  return [
    {
      method: 'POST',
      path: '/api/v1/guard/pause',
      about: 'Holds the guard still, also over a restart, until an operator resumes it.',
      gives: { type: 'application/json', schema: pauseSchema },
      problems: { ...forbidden, ...unstored },
      handle: (request) => asOperator(desk, request, (by) => pause(desk, by)),
    },
    {
      method: 'POST',
      path: '/api/v1/guard/resume',
      about: 'Ends every pause but that of the file in the state directory, which ends when the file goes.',
      gives: { type: 'application/json', schema: pauseSchema },
      problems: { ...forbidden, 409: 'Something goes on to hold it, or that could not be stored.' },
      handle: (request) => asOperator(desk, request, (by) => resume(desk, by)),
    },
  ];
}

async function pause(desk: GuardDesk, by: string): Promise<OutgoingReply> {
  const stored = await desk.control().pause(by, 'operator');
  if (!stored.ok) return problem(503, `The guard is paused, but a restart forgets it: ${stored.error}.`);
  return pauseReply(desk.control());
}

async function resume(desk: GuardDesk, by: string): Promise<OutgoingReply> {
  const resumed = await desk.control().resume(by);
  return resumed.ok ? pauseReply(desk.control()) : problem(409, `The guard does not go on: ${resumed.error}.`);
}

function pauseReply(control: GuardControl): OutgoingReply {
  const { isPaused, reasons } = control.paused();
  return json({ paused: isPaused, reasons });
}

function resetRoute(desk: GuardDesk): Route {
  return {
    method: 'POST',
    path: '/api/v1/guard/breakers/reset',
    about: 'Closes a breaker, by the key that `GET /api/v1/guard` gives it: what it counts begins anew.',
    takes: orderSchemas.breaker,
    gives: { type: 'application/json' },
    problems: {
      400: 'The body names no breaker.',
      ...forbidden,
      404: 'There is no such cluster, or no such breaker is open.',
      ...unstored,
    },
    handle: (request) => asOperator(desk, request, (by) => reset(desk, request, by)),
  };
}

async function reset(desk: GuardDesk, request: IncomingRequest, by: string): Promise<OutgoingReply> {
  const order = readBreakerOrder(await request.text(largestBody));
  if (!order.ok) return problem(400, `No breaker: ${order.error}.`);
  const { cluster, breaker } = order.value;
  if (!isCluster(desk, cluster)) return problem(404, `There is no cluster '${cluster}'.`);
  const closed = await desk.control().resetBreaker(cluster, breaker, by);
  if (closed.ok && !closed.value) return problem(404, `No breaker '${breaker}' is open in '${cluster}'.`);
  desk.log.info('a breaker of the guard was reset', { cluster, breaker, by });
  if (closed.ok) return json({ reset: true });
  return problem(503, `The breaker is closed, but a restart opens it again: ${closed.error}.`);
}

function abortRoute(desk: GuardDesk): Route {
  return {
    method: 'POST',
    path: '/api/v1/clusters/{cluster}/nodes/{node}/queries/{id}/abort',
    about:
      'Aborts one running query, past policies, budgets, breakers and protection, and past a pause only where the ' +
      'body says so. It answers when the outcome is known, which takes up to three quarters of a minute.',
    takes: orderSchemas.abort,
    gives: { type: 'application/json', schema: abortSchema },
    problems: {
      400: 'The body gives no reason, or the id is none.',
      ...forbidden,
      404: 'There is no such cluster or node, or no such query runs there.',
      409: 'It is not done, for the reason that is given.',
      503: 'It is not done, since it could not be stored.',
    },
    handle: (request, segments) => asOperator(desk, request, (by) => abort(desk, request, { ...segments, by })),
  };
}

async function abort(
  desk: GuardDesk,
  request: IncomingRequest,
  { cluster = '', node = '', id = '', by = '' }: Segments,
): Promise<OutgoingReply> {
  if (readRequestId(id) === undefined) return problem(400, `'${id}' is no id of a request.`);
  const order = readAbortOrder(await request.text(largestBody));
  if (!order.ok) return problem(400, `No abort: ${order.error}.`);
  if (!isCluster(desk, cluster)) return problem(404, `There is no cluster '${cluster}'.`);
  const wish = { cluster, node, id, by, ...order.value };
  desk.log.warn('an abort was asked for by hand', wish);
  const done = await desk.control().abort(wish);
  return replyTo(done.ok ? { ok: true, value: reportAbort(cluster, done.value) } : done);
}

function replyTo(done: Result<unknown, Refusal>): OutgoingReply {
  return done.ok ? json(done.value) : problem(statuses[done.error.kind], done.error.message);
}

function isCluster(desk: GuardDesk, name: string): boolean {
  return desk.config().clusters.some((cluster) => cluster.name === name);
}

/** `by` is who asks, as the audit keeps it. */
async function asOperator(
  desk: GuardDesk,
  request: IncomingRequest,
  act: (by: string) => Promise<OutgoingReply>,
): Promise<OutgoingReply> {
  const refusal = whyNotOperator(request, desk.config());
  return refusal === undefined ? act(request.user ?? request.remoteAddress) : problem(403, refusal);
}
