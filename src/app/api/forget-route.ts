import { doneSchema } from '../../api/fields.ts';
import { forgetRequestSchema } from '../../api/services.ts';
import type { OperatorAction } from '../../guard/storage/operator-action-rows.ts';
import { parseJson } from '../../kernel/json.ts';
import type { IncomingRequest, OutgoingReply } from '../../kernel/listener.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { Result } from '../../kernel/result.ts';
import type { Instant } from '../../kernel/time.ts';
import type { ReplicaId } from '../../model/transition.ts';
import { clusterOfBody } from './forwarding.ts';
import { asOperator, type OperatorSettings, storedActionErrors } from './operator.ts';
import { jsonReply, problemReply } from './reply.ts';
import type { Route } from './routes.ts';

/** Inputs of the route that forgets a service instance. */
export interface ForgetRouteDependencies {
  readonly log: Logger;
  readonly config: () => OperatorSettings;
  /** Forgets a replica; false if it is not known. The error says why it was not stored: it is forgotten nevertheless. */
  readonly forget: (replica: ReplicaId, action: OperatorAction) => Promise<Result<boolean, string>>;
  readonly now: () => Instant;
}

const maxBodyBytes = 4096;

/** Returns the route for an operator who knows that a service instance will not return, and does not want to wait. */
export function forgetRoute(dependencies: ForgetRouteDependencies): Route {
  return {
    method: 'POST',
    path: '/api/v1/services/forget',
    about: 'Forgets a service instance at once. Its stored transitions are kept.',
    request: forgetRequestSchema,
    clusterOf: clusterOfBody(forgetRequestSchema, maxBodyBytes),
    response: { type: 'application/json', schema: doneSchema('forgotten') },
    errorResponses: {
      ...storedActionErrors,
      400: 'The body names no service instance.',
      404: 'The service instance is not known.',
    },
    handle: (request) => asOperator(request, dependencies.config(), (by) => forgetReplica(dependencies, request, by)),
  };
}

async function forgetReplica(
  { log, forget, now }: ForgetRouteDependencies,
  request: IncomingRequest,
  by: string,
): Promise<OutgoingReply> {
  const parsed = forgetRequestSchema.safeParse(parseJson(await request.text(maxBodyBytes)));
  if (!parsed.success) {
    return problemReply(400, 'The body must be a JSON object with cluster, service, partition and replica.');
  }
  const { cluster, service, partition, replica } = parsed.data;
  const subject = [service, partition, replica].filter((part) => part !== '').join(' ');
  const action: OperatorAction = { at: now().wall, what: 'forget', by, cluster, subject, reason: '' };
  const forgotten = await forget({ cluster, service, partition, replica }, action);
  if (forgotten.ok && !forgotten.value) return problemReply(404, 'The service instance is not known.');
  log.info('service instance forgotten', { cluster, service, partition, replica, by });
  if (forgotten.ok) return jsonReply({ forgotten: true });
  return problemReply(503, `The service instance is forgotten, but returns at the next restart: ${forgotten.error}`);
}
