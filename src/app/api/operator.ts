import type { Config } from '../../config/config.ts';
import type { IncomingRequest, OutgoingReply } from '../../kernel/listener.ts';
import { problemReply } from './reply.ts';

/** Settings that decide who may act. */
export type OperatorSettings = Pick<Config, 'operators' | 'externalUrl'>;

/** Errors of every operator action. */
export const operatorErrors: Readonly<Record<number, string>> = {
  403: 'The user is not an operator, or, without authentication, the client is not on this host.',
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
  const refusal = operatorRefusal(request, settings);
  return refusal === undefined ? act(request.user ?? request.remoteAddress) : problemReply(403, refusal);
}

/** Returns the value of a JSON body; undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns why the sender of a request may not act; undefined if the sender may. */
function operatorRefusal(request: IncomingRequest, { operators, externalUrl }: OperatorSettings): string | undefined {
  if (isCrossOrigin(request.headers, externalUrl)) return 'Cross-origin requests are not allowed.';
  if (request.user !== undefined) {
    return operators.includes(request.user) ? undefined : `User '${request.user}' is not listed in operators.`;
  }
  return isLocalRequest(request)
    ? undefined
    : 'Without authentication, only a client on this host may do this: through localhost, without a proxy.';
}

/** Browsers state where a request comes from; over plain HTTP some of them send only the origin. */
function isCrossOrigin(headers: IncomingRequest['headers'], externalUrl: string | undefined): boolean {
  const { 'sec-fetch-site': site, origin, host } = headers;
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  if (origin === undefined) return false;
  const from = URL.parse(origin);
  const isExternalUrl = from !== null && externalUrl !== undefined && from.origin === new URL(externalUrl).origin;
  return !isExternalUrl && (from === null || from.host !== host?.toLowerCase());
}

/** Headers that proxies add: the peer is then not the client. */
const proxyHeaders = ['forwarded', 'via', 'x-forwarded-for', 'x-real-ip'];

/** A foreign name in `Host` is a web page whose own name resolves to loopback (DNS rebinding). */
function isLocalRequest({ remoteAddress, headers }: IncomingRequest): boolean {
  const { host = 'localhost' } = headers;
  const name = URL.parse(`http://${host}`)?.hostname ?? '';
  const isNamedLocal = name === 'localhost' || isLoopback(name.replace(/^\[|\]$/g, ''));
  return isLoopback(remoteAddress) && isNamedLocal && proxyHeaders.every((header) => headers[header] === undefined);
}

function isLoopback(address: string): boolean {
  return address === '::1' || /^(?:::ffff:)?127\.\d+\.\d+\.\d+$/.test(address);
}
