import { doneSchema, livePageSchema } from '../../api/fields.ts';
import { abortSchema, type DecisionReport, decisionSchema, guardSchema, pauseSchema } from '../../api/guard.ts';
import { type QueryExplanationReport, queryExplanationSchema } from '../../api/guard-why.ts';
import type { Config } from '../../config/config.ts';
import { parseRequestId } from '../../graphdb/query-identity.ts';
import {
  abortRequestSchema,
  breakerResetSchema,
  parseAbortBody,
  parseBreakerResetBody,
} from '../../guard/operator-requests.ts';
import { loadQueryAborts } from '../../guard/storage/abort-rows.ts';
import type { IncomingRequest, OutgoingReply } from '../../kernel/listener.ts';
import type { Logger } from '../../kernel/logger.ts';
import { ok } from '../../kernel/result.ts';
import type { StoreReader } from '../../kernel/store.ts';
import type { Millis } from '../../kernel/time.ts';
import { abortOutcomes } from '../../model/guard.ts';
import type { GuardControl, Refusal } from '../guard/guard-control.ts';
import { mergeGuardReports, reportAbort, reportDecision, reportGuard, reportPause } from '../guard/guard-report.ts';
import { historyErrors } from './admission.ts';
import { clusterOfBody, clusterOfPath } from './forwarding.ts';
import { suggestion } from './known-values.ts';
import { liveReply } from './live-list.ts';
import { asOperator, operatorErrors, storedActionErrors } from './operator.ts';
import type { OtherReplicas } from './other-replicas.ts';
import { listErrors, pagingParameters } from './paging.ts';
import { filterParameters, parameter, unknownParameter } from './query-parameters.ts';
import { jsonReply, problemReply } from './reply.ts';
import type { PathParameters, Route } from './routes.ts';

/** Inputs of the routes of the guard. */
export interface GuardRouteDependencies {
  readonly log: Logger;
  readonly config: () => Pick<Config, 'operators' | 'externalUrl' | 'guard' | 'clusters' | 'scope' | 'rejection'>;
  readonly control: () => GuardControl;
  readonly history: Pick<StoreReader, 'find'>;
  /** Absent if no other replica owns clusters. */
  readonly replicas?: OtherReplicas | undefined;
}

const maxBodyBytes = 16_384;
/** The outcome of an abort is known after up to 45 s. */
const abortTimeout: Millis = 50_000;
const refusalStatuses: Readonly<Record<Refusal['kind'], number>> = {
  unknown_node: 404,
  unknown_query: 404,
  refused: 409,
  not_stored: 503,
};

/** Returns the routes of the guard: its decisions, its state and the operator actions. */
export function guardRoutes(dependencies: GuardRouteDependencies): readonly Route[] {
  return [
    decisionsRoute(dependencies),
    statusRoute(dependencies),
    ...pauseRoutes(dependencies),
    resetBreakerRoute(dependencies),
    whyRoute(dependencies),
    abortRoute(dependencies),
  ];
}

function decisionsRoute({ control, replicas }: GuardRouteDependencies): Route {
  const parameters = filterParameters(Object.keys(filters), decisionSchema).map((one) => {
    if (one.name === 'policy') return { ...one, about: `${one.about} Empty: manual aborts.` };
    if (one.name !== 'outcome') return one;
    const schema = { type: 'string', enum: ['', ...abortOutcomes] };
    return { ...one, about: `${one.about} Empty: decisions without an outcome.`, schema };
  });
  return {
    method: 'GET',
    path: '/api/v1/guard/decisions',
    about: 'Lists the decisions of the guard, the latest first, including those that observe mode does not carry out.',
    parameters: [...parameters, ...pagingParameters],
    response: { type: 'application/json', schema: livePageSchema(decisionSchema) },
    errorResponses: listErrors,
    handle: (request) =>
      liveReply(replicas, request, {
        path: '/api/v1/guard/decisions',
        item: decisionSchema,
        items: control().decisions().map(reportDecision),
        filters,
        compare: (one, other) => Date.parse(other.at) - Date.parse(one.at),
      }),
  };
}

const filters: Readonly<Record<string, (item: DecisionReport) => string>> = {
  cluster: (item) => item.cluster,
  node: (item) => item.node,
  policy: (item) => item.policy,
  outcome: (item) => item.outcome ?? '',
};

function statusRoute(dependencies: GuardRouteDependencies): Route {
  return {
    method: 'GET',
    path: '/api/v1/guard',
    about: 'Returns the state of the guard: pause, effective modes of the policies, open circuit breakers.',
    response: { type: 'application/json', schema: guardSchema },
    handle: ({ replica }) => guardReply(dependencies, replica),
  };
}

async function guardReply(
  { config, control, replicas }: GuardRouteDependencies,
  replica: string | undefined,
): Promise<OutgoingReply> {
  const own = reportGuard(control(), config());
  if (replicas?.isShared !== true) return jsonReply(own);
  if (replica !== undefined) return jsonReply({ clusters: replicas.followed(), items: [own] });
  const others = await replicas.gather({ path: '/api/v1/guard', item: guardSchema });
  return jsonReply(mergeGuardReports(own, others, (one, other) => replicas.compareClusters(one, other)));
}

function pauseRoutes(dependencies: GuardRouteDependencies): readonly Route[] {
  const { config } = dependencies;
  return [
    {
      method: 'POST',
      path: '/api/v1/guard/pause',
      about: 'Pauses the guard of all clusters until an operator resumes it. The pause survives a restart.',
      response: { type: 'application/json', schema: pauseSchema },
      errorResponses: storedActionErrors,
      handle: (request) => asOperator(request, config(), (by) => pause(dependencies, by)),
    },
    {
      method: 'POST',
      path: '/api/v1/guard/resume',
      about:
        'Resumes the guard of all clusters, or ends the pauses that concern only one cluster. A pause by the file in the ' +
        'state directory lasts until the file is removed.',
      parameters: [parameter('cluster', 'Cluster whose guard paused itself; absent for all pauses.')],
      clusterOf: async ({ query }) => ok(query.get('cluster') ?? undefined),
      response: { type: 'application/json', schema: pauseSchema },
      errorResponses: {
        ...operatorErrors,
        400: 'A parameter does not exist.',
        404: 'The cluster does not exist.',
        409: 'The guard is still paused, or the action was not stored.',
      },
      handle: (request) => asOperator(request, config(), (by) => resume(dependencies, request, by)),
    },
  ];
}

async function pause(dependencies: GuardRouteDependencies, by: string): Promise<OutgoingReply> {
  const stored = await dependencies.control().pause(by, 'operator');
  const unstored = 'The guard is paused, but only in this process, and it resumes at the next restart';
  if (!stored.ok) return problemReply(503, `${unstored}: ${stored.error}.`);
  return pauseReply(dependencies);
}

async function resume(
  dependencies: GuardRouteDependencies,
  { query }: IncomingRequest,
  by: string,
): Promise<OutgoingReply> {
  // A mistyped name must not resume all clusters.
  const unknown = [...query.keys()].find((name) => name !== 'cluster');
  if (unknown !== undefined) return problemReply(400, unknownParameter(unknown));
  const cluster = query.get('cluster') ?? undefined;
  if (cluster !== undefined && !hasCluster(dependencies, cluster)) return unknownCluster(dependencies, cluster);
  const resumed = await dependencies.control().resume(by, cluster);
  return resumed.ok ? pauseReply(dependencies) : problemReply(409, `The guard is still paused: ${resumed.error}.`);
}

function pauseReply({ control, config }: GuardRouteDependencies): OutgoingReply {
  return jsonReply(
    reportPause(
      control(),
      config().clusters.map(({ name }) => name),
    ),
  );
}

function resetBreakerRoute(dependencies: GuardRouteDependencies): Route {
  return {
    method: 'POST',
    path: '/api/v1/guard/breakers/reset',
    about: 'Closes a circuit breaker and resets its counts.',
    request: breakerResetSchema,
    clusterOf: clusterOfBody(breakerResetSchema, maxBodyBytes),
    response: { type: 'application/json', schema: doneSchema('reset') },
    errorResponses: {
      ...storedActionErrors,
      400: 'The body names no circuit breaker.',
      404: 'The cluster does not exist, or the circuit breaker is not open.',
    },
    handle: (request) => asOperator(request, dependencies.config(), (by) => resetBreaker(dependencies, request, by)),
  };
}

async function resetBreaker(
  dependencies: GuardRouteDependencies,
  request: IncomingRequest,
  by: string,
): Promise<OutgoingReply> {
  const body = parseBreakerResetBody(await request.text(maxBodyBytes));
  if (!body.ok) return problemReply(400, `The request is invalid: ${body.error}.`);
  const { cluster, breaker } = body.value;
  if (!hasCluster(dependencies, cluster)) return unknownCluster(dependencies, cluster);
  const closed = await dependencies.control().resetBreaker(cluster, breaker, by);
  if (closed.ok && !closed.value) {
    return problemReply(404, `Circuit breaker '${breaker}' is not open in cluster '${cluster}'.`);
  }
  dependencies.log.info('circuit breaker reset', { cluster, breaker, by });
  if (closed.ok) return jsonReply({ reset: true });
  return problemReply(503, `The circuit breaker is closed, but opens again at the next restart: ${closed.error}.`);
}

function whyRoute(dependencies: GuardRouteDependencies): Route {
  return {
    method: 'GET',
    path: '/api/v1/clusters/{cluster}/nodes/{node}/queries/{id}/why',
    admission: 'history',
    about:
      'Explains what the guard does with one query: the result of each condition of each policy, what delays the abort, ' +
      'and earlier aborts from the audit. Contains no query parameters.',
    response: { type: 'application/json', schema: queryExplanationSchema },
    clusterOf: clusterOfPath,
    errorResponses: {
      ...historyErrors,
      400: 'The ID is not a request ID.',
      404: 'The cluster or the node does not exist.',
    },
    handle: (_, segments) => explain(dependencies, segments),
  };
}

async function explain(
  dependencies: GuardRouteDependencies,
  { cluster = '', node = '', id = '' }: PathParameters,
): Promise<OutgoingReply> {
  if (!hasCluster(dependencies, cluster)) return unknownCluster(dependencies, cluster);
  if (parseRequestId(id) === undefined) return problemReply(400, `'${id}' is not a request ID.`);
  const live = dependencies.control().explain({ cluster, node, id });
  if (live === undefined) return unknownNode(dependencies, cluster, node);
  const aborts = await loadQueryAborts(dependencies.history, cluster, { node, id });
  if (!aborts.ok) return problemReply(503, aborts.error);
  const report: QueryExplanationReport = { ...live, aborts: aborts.value.map((one) => reportAbort(cluster, one)) };
  return jsonReply(report);
}

function abortRoute(dependencies: GuardRouteDependencies): Route {
  return {
    method: 'POST',
    path: '/api/v1/clusters/{cluster}/nodes/{node}/queries/{id}/abort',
    about:
      'Aborts one running query regardless of policies, budgets, circuit breakers and protection; regardless of a ' +
      'pause only with `whilePaused`. Returns when the outcome is known, after up to 45 s.',
    request: abortRequestSchema,
    clusterOf: clusterOfPath,
    forwardTimeout: abortTimeout,
    response: { type: 'application/json', schema: abortSchema },
    errorResponses: {
      ...operatorErrors,
      400: 'The body contains no reason, or the ID is not a request ID.',
      404: 'The cluster or the node does not exist, or the query does not run on it.',
      409: 'The guard refuses the abort; `detail` says why.',
      503: 'The abort was not sent, because it could not be stored.',
    },
    handle: (request, segments) =>
      asOperator(request, dependencies.config(), (by) => abort(dependencies, request, { ...segments, by })),
  };
}

async function abort(
  dependencies: GuardRouteDependencies,
  request: IncomingRequest,
  { cluster = '', node = '', id = '', by = '' }: PathParameters,
): Promise<OutgoingReply> {
  if (parseRequestId(id) === undefined) return problemReply(400, `'${id}' is not a request ID.`);
  const body = parseAbortBody(await request.text(maxBodyBytes));
  if (!body.ok) return problemReply(400, `The request is invalid: ${body.error}.`);
  if (!hasCluster(dependencies, cluster)) return unknownCluster(dependencies, cluster);
  const { graph, ...rest } = body.value;
  const manualAbort = { cluster, node, id, by, ...rest, ...(graph === undefined ? {} : { graph }) };
  dependencies.log.warn('manual abort requested', manualAbort);
  const done = await dependencies.control().abort(manualAbort);
  return done.ok
    ? jsonReply(reportAbort(cluster, done.value))
    : problemReply(refusalStatuses[done.error.kind], done.error.message);
}

function hasCluster({ config }: GuardRouteDependencies, name: string): boolean {
  return config().clusters.some((cluster) => cluster.name === name);
}

function unknownNode({ config }: GuardRouteDependencies, cluster: string, node: string): OutgoingReply {
  const found = config().clusters.find(({ name }) => name === cluster);
  const known = found?.nodes.map(({ name }) => name) ?? [];
  return problemReply(404, `Cluster '${cluster}' has no node '${node}'.${suggestion(node, known)}`);
}

function unknownCluster({ config }: GuardRouteDependencies, name: string): OutgoingReply {
  const known = config().clusters.map((cluster) => cluster.name);
  return problemReply(404, `Cluster '${name}' is not in the configuration.${suggestion(name, known)}`);
}
