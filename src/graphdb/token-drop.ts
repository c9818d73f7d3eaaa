import { withDeadline } from '../kernel/deadline.ts';
import type { HttpPool, HttpRequest } from '../kernel/http.ts';
import type { Clock, Millis } from '../kernel/time.ts';
import type { IssuedToken } from './access-tokens.ts';
import { prefixOf } from './calls.ts';
import type { PathForms } from './path-forms.ts';
import { replyLimits } from './reply-limits.ts';

/** How a token is dropped. */
export interface TokenDropOptions {
  readonly pool: Pick<HttpPool, 'request'>;
  /** Path of the URL of the node, before every path. */
  readonly prefix: string;
  readonly forms: Pick<PathForms, 'form'>;
  readonly clock: Clock;
}

/** Short: a stop does not wait for a server that hangs. */
const dropTimeout: Millis = 1000;

/**
 * Deletes a token that was issued to this process. Returns whether the server accepted it; a token that is not deleted expires
 * by itself. Never rejects.
 */
export async function dropToken(
  issued: IssuedToken,
  { pool, prefix, forms, clock }: TokenDropOptions,
): Promise<boolean> {
  const request = issued.issuer === 'tokens' ? currentRequest(issued, forms) : olderRequest(issued, forms);
  const ordered = { ...request, path: prefix + request.path };
  try {
    const reply = await withDeadline(clock, dropTimeout, (signal) => pool.request(ordered, signal));
    if (reply.ok) reply.value.release?.();
    return reply.ok && reply.value.status < 300;
  } catch {
    return false;
  }
}

function currentRequest({ token, secret }: IssuedToken, forms: TokenDropOptions['forms']): HttpRequest {
  const authorization = `GSQL-Secret ${secret.reveal()}`;
  return deletion(`${prefixOf('gsql', forms.form('gsql'))}/tokens`, { tokens: token.reveal() }, { authorization });
}

function olderRequest({ token, secret }: IssuedToken, forms: TokenDropOptions['forms']): HttpRequest {
  const body = { token: token.reveal(), secret: secret.reveal() };
  return deletion(`${prefixOf('restpp', forms.form('restpp'))}/requesttoken`, body);
}

function deletion(path: string, body: object, headers: Readonly<Record<string, string>> = {}): HttpRequest {
  return {
    method: 'DELETE',
    path,
    headers: { 'user-agent': 'graphwarden', 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    maxBytes: replyLimits.status.bytes,
  };
}
