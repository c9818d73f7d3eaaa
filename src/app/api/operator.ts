import type { Config } from '../../config/config.ts';
import type { IncomingRequest, OutgoingReply } from '../../kernel/listener.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import { problemReply } from './reply.ts';

/** Settings that determine which users are operators. */
export type OperatorSettings = Pick<Config, 'operators' | 'externalUrl'>;

/** Errors of every operator action. */
export const operatorErrors: Readonly<Record<number, string>> = {
  403: 'The request is not authenticated, its user is not an operator, or its body is not declared as JSON.',
};

/** Errors of an operator action that takes effect even if it cannot be stored. */
export const storedActionErrors: Readonly<Record<number, string>> = {
  ...operatorErrors,
  503: 'The action took effect, but it was not stored and is lost at the next restart.',
};

/** Runs `act` for an operator, with the name for the audit log; answers 403 to everyone else. */
export async function asOperator(
  request: IncomingRequest,
  settings: OperatorSettings,
  act: (by: string) => Promise<OutgoingReply>,
): Promise<OutgoingReply> {
  const operator = operatorOf(request, settings);
  return operator.ok ? act(operator.value) : problemReply(403, operator.error);
}

/** Returns the rejection of a request whose sender is not an operator; undefined for an operator. */
export function operatorRefusal(request: IncomingRequest, settings: OperatorSettings): OutgoingReply | undefined {
  const operator = operatorOf(request, settings);
  return operator.ok ? undefined : problemReply(403, operator.error);
}

/** Returns the operator that sends a request, or the reason why its sender is not an operator. */
function operatorOf(
  { headers, user, operator }: IncomingRequest,
  { operators, externalUrl }: OperatorSettings,
): Result<string, string> {
  if (isCrossOrigin(headers, externalUrl)) return err(crossOriginProblem);
  if (!hasJsonBody(headers)) return err('The body must be JSON: send it with the content type application/json.');
  if (operator !== undefined) return ok(operator);
  if (user === undefined) return err(authenticationRequired);
  return operators.includes(user) ? ok(user) : err(`User '${user}' is not listed in operators.`);
}

const crossOriginProblem = 'Cross-origin requests are not allowed.';

/** Returns the refusal of a request of another site that is more than a read; undefined for other requests. */
export function crossOriginRefusal(
  { method, headers }: IncomingRequest,
  { externalUrl }: Pick<OperatorSettings, 'externalUrl'>,
): OutgoingReply | undefined {
  const isRead = method === 'GET' || method === 'HEAD';
  return isRead || !isCrossOrigin(headers, externalUrl) ? undefined : problemReply(403, crossOriginProblem);
}

const authenticationRequired =
  'Operator actions require a user that is listed in operators. On the host of the daemon, the commands act through the ' +
  'socket in its state directory: run them as the user of the daemon, with --state-dir.';

/** A form of another site can send any content type but JSON. A request without a body needs no content type. */
function hasJsonBody({ 'content-type': type }: IncomingRequest['headers']): boolean {
  return type === undefined || /^application\/json\s*(?:;|$)/i.test(type);
}

/** Returns whether another site sent a request. Browsers state where a request comes from; over plain HTTP some of them send only the origin. */
export function isCrossOrigin(headers: IncomingRequest['headers'], externalUrl: string | undefined): boolean {
  const { 'sec-fetch-site': fetchSite, origin, host } = headers;
  if (fetchSite !== undefined && fetchSite !== 'same-origin' && fetchSite !== 'none') return true;
  if (origin === undefined) return false;
  const from = URL.parse(origin);
  const isExternalUrl = from !== null && externalUrl !== undefined && from.origin === new URL(externalUrl).origin;
  return !isExternalUrl && (from === null || from.host !== host?.toLowerCase());
}
