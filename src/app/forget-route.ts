import type { Config } from '../config/config.ts';
import type { OperatorAct } from '../guard/keeping/action-rows.ts';
import type { IncomingRequest, OutgoingReply } from '../kernel/listener.ts';
import type { Logger } from '../kernel/logger.ts';
import type { Result } from '../kernel/result.ts';
import type { Instant } from '../kernel/time.ts';
import type { ReplicaId } from '../model/transition.ts';
import { whyNotOperator } from './lifecycle-routes.ts';
import { json, problem } from './reply.ts';
import type { Route } from './routes.ts';

/** What forgetting works with. */
export interface ForgetDesk {
  readonly log: Logger;
  config(): Pick<Config, 'operators' | 'externalUrl'>;
  /** False where no such replica is known; it is forgotten even where that could not be stored, which is the error. */
  forget(replica: ReplicaId, act: OperatorAct): Promise<Result<boolean, string>>;
  now(): Instant;
}

const largestBody = 4096;
const names = ['cluster', 'service', 'partition', 'replica'] as const;

/** For an operator who knows that a service instance will not come back, and does not want to wait until it is forgotten. */
export function forgetRoute(desk: ForgetDesk): Route {
  return {
    method: 'POST',
    path: '/api/v1/services/forget',
    about:
      'Forgets a service instance at once; its timeline stays. The body names cluster, service, partition, replica.',
    gives: { type: 'application/json' },
    problems: {
      400: 'The body names no service instance.',
      403: 'Only an operator, or without authentication a local caller, may do this.',
      404: 'No such service instance is known.',
      503: 'It is so, but could not be stored: a restart brings it back.',
    },
    handle: (request) => forget(desk, request),
  };
}

async function forget(desk: ForgetDesk, request: IncomingRequest): Promise<OutgoingReply> {
  const refusal = whyNotOperator(request, desk.config());
  if (refusal !== undefined) return problem(403, refusal);
  const replica = replicaOf(await request.text(largestBody));
  if (replica === undefined) return problem(400, 'The body must be JSON with cluster, service, partition and replica.');
  const by = request.user ?? request.remoteAddress;
  const { cluster, service, partition, replica: number } = replica;
  const subject = [service, partition, number].filter((part) => part !== '').join(' ');
  const act: OperatorAct = { at: desk.now().wall, what: 'forget', by, cluster, subject, reason: '' };
  const forgotten = await desk.forget(replica, act);
  if (forgotten.ok && !forgotten.value) return problem(404, 'No such service instance is known.');
  desk.log.info('a service instance was forgotten', { ...replica, by });
  if (forgotten.ok) return json({ forgotten: true });
  return problem(503, `It is forgotten, but a restart brings it back: ${forgotten.error}`);
}

function replicaOf(text: string): ReplicaId | undefined {
  const members = membersOf(text);
  const word = (name: (typeof names)[number]): string | undefined => {
    const value = members[name] ?? '';
    return typeof value === 'string' ? value : undefined;
  };
  const [cluster, service, partition, replica] = names.map(word);
  if (cluster === undefined || service === undefined || partition === undefined || replica === undefined)
    return undefined;
  return cluster === '' || service === '' ? undefined : { cluster, service, partition, replica };
}

function membersOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
