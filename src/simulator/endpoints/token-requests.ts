import { z } from 'zod';
import { parseJson } from '../../kernel/json.ts';
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

/** `POST /gsql/v1/tokens` (4.x): a JWT for a secret or for a user, with its expiration as text. */
export const issueToken: Endpoint = (call) => {
  const request = readBody(call.body);
  if (request === undefined) return gsqlError(400, 'The payload is not a token request.');
  if (!isEntitled(call, request)) return gsqlError(401, 'The secret or the credentials are not valid.');
  const { token, expiresAt } = call.tokens.issue('jwt', tokenTerms(call, request));
  const expiration = javaDate(expiresAt);
  return json({ expiration, error: false, message: 'Generate new JWT token successfully.', token });
};

/** `POST /requesttoken` (3.x): only available if the data plane requires tokens; for a user the token is in `results`. */
export const requestToken: Endpoint = (call) => {
  const { auth } = call.world.settings;
  if (auth.kind === 'none') return unknownEndpoint('/requesttoken');
  const request = readBody(call.body);
  if (request === undefined) return restppError(400, 'REST-30000', 'The payload is not a token request.');
  if (!isEntitled(call, request)) return restppError(403, 'REST-10016', 'The secret or the credentials are not valid.');
  const { token, expiresAt } = call.tokens.issue('plain', tokenTerms(call, request));
  return legacyReply(token, Math.floor(expiresAt / 1000), request.secret === undefined);
};

const dropSchema = z.object({ tokens: z.string().optional(), token: z.string().optional() });

/** `DELETE /gsql/v1/tokens` (4.x) and `DELETE /requesttoken` (3.x): delete one issued token. */
export const dropToken: Endpoint = ({ body, tokens }) => {
  const { tokens: current, token = current } = dropSchema.safeParse(parseJson(body)).data ?? {};
  if (token === undefined || !tokens.drop(token)) return gsqlError(400, 'The token does not exist.');
  return json({ error: false, message: 'Drop the tokens successfully.' });
};

/** `DELETE /gsqlserver/gsql/expiredtoken`: removes the expired tokens of all users. */
export const removeExpiredTokens: Endpoint = ({ world, node, body, tokens }) => {
  if (body.trim() !== '') return gsqlError(400, 'The simulator does not remove the tokens of listed users.');
  const removed = tokens.removeExpired(world.hostTime(node.host));
  return json({ error: false, message: `Removed ${removed} expired tokens.` });
};

function legacyReply(token: string, expiration: number, forUser: boolean): Reply {
  const message = 'Generate new token successfully.';
  const content = forUser ? { results: { token } } : { token };
  return json({ code: 'REST-0000', expiration, error: false, message, ...content });
}

function readBody(body: string): TokenRequest | undefined {
  return bodySchema.safeParse(body.trim() === '' ? {} : parseJson(body)).data;
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
