import { z } from 'zod';
import { hasUserCredentials } from '../access.ts';
import type { Endpoint, EndpointCall } from '../call.ts';
import { gsqlError, json, type Reply, restppError, unknownEndpoint } from '../replies.ts';
import { javaDate } from '../timestamps.ts';
import { tokenLifetime } from '../tokens.ts';

const bodySchema = z.object({
  secret: z.string().optional(),
  graph: z.string().optional(),
  /** Seconds; some clients send it as text. */
  lifetime: z.coerce.number().positive().optional(),
});

type TokenRequest = z.infer<typeof bodySchema>;

/** `POST /gsql/v1/tokens` (4.x): a JWT for a secret or for a user, its expiry in words. */
export const issueToken: Endpoint = (call) => {
  const directive = readBody(call.body);
  if (directive === undefined) return gsqlError(400, 'The payload is not a token request.');
  if (!isEntitled(call, directive)) return gsqlError(401, 'The secret or the credentials are not valid.');
  const { token, expiresAt } = call.tokens.issue('jwt', tokenTerms(call, directive));
  const expiration = javaDate(expiresAt);
  return json({ expiration, error: false, message: 'Generate new JWT token successfully.', token });
};

/** `POST /requesttoken` (3.x): there only while the data plane wants tokens; for a user the token is in `results`. */
export const requestToken: Endpoint = (call) => {
  const { auth } = call.world.settings;
  if (auth.kind === 'none') return unknownEndpoint('/requesttoken');
  const directive = readBody(call.body);
  if (directive === undefined) return restppError(400, 'REST-30000', 'The payload is not a token request.');
  if (!isEntitled(call, directive))
    return restppError(403, 'REST-10016', 'The secret or the credentials are not valid.');
  const { token, expiresAt } = call.tokens.issue('plain', tokenTerms(call, directive));
  return legacyReply(token, Math.floor(expiresAt / 1000), directive.secret === undefined);
};

function legacyReply(token: string, expiration: number, forUser: boolean): Reply {
  const message = 'Generate new token successfully.';
  const place = forUser ? { results: { token } } : { token };
  return json({ code: 'REST-0000', expiration, error: false, message, ...place });
}

function readBody(body: string): TokenRequest | undefined {
  try {
    const value: unknown = body.trim() === '' ? {} : JSON.parse(body);
    return bodySchema.safeParse(value).data;
  } catch {
    return undefined;
  }
}

function isEntitled({ world, headers }: EndpointCall, { secret }: TokenRequest): boolean {
  const { auth } = world.settings;
  if (secret === undefined) return hasUserCredentials(headers, auth);
  return auth.kind === 'secret' && secret === auth.secret;
}

function tokenTerms(
  { world, node }: EndpointCall,
  { lifetime, graph }: TokenRequest,
): { at: number; lifetime: number; graph?: string } {
  const length = lifetime === undefined ? tokenLifetime : lifetime * 1000;
  return { at: world.hostTime(node.host), lifetime: length, ...(graph === undefined ? {} : { graph }) };
}
