import { runChecksSchema } from '../../api/clusters.ts';
import { doneSchema } from '../../api/fields.ts';
import type { OperatorAction } from '../../guard/storage/operator-action-rows.ts';
import { parseJson } from '../../kernel/json.ts';
import type { IncomingRequest, OutgoingReply } from '../../kernel/listener.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { Result } from '../../kernel/result.ts';
import { type Instant, type Millis, toSeconds } from '../../kernel/time.ts';
import type { ScheduledRun } from '../poll/scheduler.ts';
import { clusterOfBody } from './forwarding.ts';
import { suggestion } from './known-values.ts';
import { asOperator, type OperatorSettings, storedActionErrors } from './operator.ts';
import { jsonReply, problemReply } from './reply.ts';
import type { Route } from './routes.ts';

/** Inputs of the route that runs checks. */
export interface CheckRouteDependencies {
  readonly log: Logger;
  readonly config: () => OperatorSettings & { readonly clusters: readonly { readonly name: string }[] };
  /** Runs the checks of a cluster now, without waiting for their end. */
  readonly run: (cluster: string) => ScheduledRun;
  /** Stores the action; the error is a sentence. */
  readonly record: (action: OperatorAction) => Promise<Result<void, string>>;
  readonly now: () => Instant;
}

const maxBodyBytes = 4096;

/** Checks load every engine of a cluster, so operators cannot run them more often. */
const minInterval: Millis = 60_000;

/** Returns the route that runs the consistency checks of a cluster before their scheduled time. */
export function checkRoute(dependencies: CheckRouteDependencies): Route {
  const startedAt = new Map<string, number>();
  return {
    method: 'POST',
    path: '/api/v1/checks/run',
    about: 'Runs the consistency checks of a cluster now. Returns at once; the results appear in `/api/v1/checks`.',
    request: runChecksSchema,
    clusterOf: clusterOfBody(runChecksSchema, maxBodyBytes),
    response: { type: 'application/json', schema: doneSchema('started') },
    errorResponses: {
      ...storedActionErrors,
      400: 'The body names no cluster.',
      404: 'The cluster does not exist, or its checks are not enabled.',
      429: `The checks run now, or were run by hand less than ${toSeconds(minInterval)} s ago.`,
    },
    handle: (request) =>
      asOperator(request, dependencies.config(), (by) => runChecks(dependencies, request, { by, startedAt })),
  };
}

interface RunContext {
  readonly by: string;
  /** When the checks of a cluster were last run by hand, on the monotonic clock. */
  readonly startedAt: Map<string, number>;
}

async function runChecks(
  { log, config, run, record, now }: CheckRouteDependencies,
  request: IncomingRequest,
  { by, startedAt }: RunContext,
): Promise<OutgoingReply> {
  const parsed = runChecksSchema.safeParse(parseJson(await request.text(maxBodyBytes)));
  if (!parsed.success) return problemReply(400, 'The body must be a JSON object with the name of a cluster.');
  const { cluster } = parsed.data;
  const known = config().clusters.map(({ name }) => name);
  if (!known.includes(cluster)) {
    return problemReply(404, `Cluster '${cluster}' is not in the configuration.${suggestion(cluster, known)}`);
  }
  const { wall, mono } = now();
  const wait = (startedAt.get(cluster) ?? Number.NEGATIVE_INFINITY) + minInterval - mono;
  if (wait > 0) return tooManyRuns('were started on request a moment ago', wait);
  const result = run(cluster);
  if (result === 'none') {
    return problemReply(404, 'No check is enabled: set collectors.consistency.enabled in the configuration.');
  }
  if (result === 'running') return tooManyRuns('run now', minInterval);
  startedAt.set(cluster, mono);
  log.info('checks started', { cluster, by });
  const stored = await record({ at: wall, what: 'run_check', by, cluster, subject: 'consistency', reason: '' });
  return stored.ok
    ? jsonReply({ started: true })
    : problemReply(503, `The checks run, but their audit entry was not stored: ${stored.error}`);
}

function tooManyRuns(why: string, wait: Millis): OutgoingReply {
  const left = Math.ceil(toSeconds(wait));
  const reply = problemReply(429, `The checks ${why}: repeat the request in ${left} s.`);
  return { ...reply, headers: { ...reply.headers, 'retry-after': String(left) } };
}
