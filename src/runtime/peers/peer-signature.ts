import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** Scheme of the header `Authorization` of a request of another replica. */
const scheme = 'Graphwarden-Replica';

/** Header of a reply with its signature. */
export const replySignatureHeader = 'graphwarden-signature';

/** Target of a request of a replica; the path is decoded. */
export interface RequestTarget {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
}

/** Fields of the signature of a request in addition to its target. */
export interface SignedRequest {
  /** Id of the replica that sends the request. */
  readonly from: string;
  /** Id of the replica that it is for: another one, or this one after a restart, does not accept it. */
  readonly to: string;
  /** By the clock of the database, ms since the epoch. */
  readonly at: number;
  /** Unique for each request. */
  readonly nonce: string;
  readonly bodyHash: string;
  readonly user: string | undefined;
  readonly operator: string | undefined;
}

/** Whether a header `Authorization` claims to be one of a replica. */
export function isReplicaAuthorization(authorization: string | undefined): boolean {
  return authorization?.startsWith(`${scheme} `) === true;
}

/** Returns the header `Authorization` of a request. */
export function signRequest(key: string, target: RequestTarget, signed: SignedRequest): string {
  const { from, to, at, nonce, bodyHash, user = null, operator = null } = signed;
  const text = JSON.stringify([from, to, at, nonce, bodyHash, user, operator]);
  const payload = Buffer.from(text).toString('base64url');
  return `${scheme} ${payload}.${requestSignature(key, target, payload)}`;
}

/** Returns the fields of a header `Authorization`; undefined unless its signature is valid for the target and this key. */
export function verifyRequest(key: string, target: RequestTarget, authorization: string): SignedRequest | undefined {
  const [payload = '', signature = ''] = authorization.slice(scheme.length + 1).split('.', 2);
  if (!isEqual(signature, requestSignature(key, target, payload))) return undefined;
  const [from, to, at, nonce, bodyHash, user, operator] = parsePayload(payload);
  if (typeof from !== 'string' || typeof to !== 'string' || typeof at !== 'number') return undefined;
  if (typeof nonce !== 'string' || typeof bodyHash !== 'string') return undefined;
  return { from, to, at, nonce, bodyHash, user: textOrNone(user), operator: textOrNone(operator) };
}

/** Fields of the signature of a reply. */
export interface SignedReply {
  readonly status: number;
  readonly bodyHash: string;
  /** Value of the header `Retry-After`. */
  readonly retryAfter?: string | undefined;
}

/** Returns the signature of the reply to the request with this nonce. */
export function signReply(key: string, nonce: string, { status, bodyHash, retryAfter }: SignedReply): string {
  return hmac(key, ['reply', nonce, status, bodyHash, ...(retryAfter === undefined ? [] : [retryAfter])]);
}

/** Whether a reply has the signature of a replica. */
export function isReplySigned(
  key: string,
  nonce: string,
  { signature, ...signed }: SignedReply & { readonly signature: string },
): boolean {
  return isEqual(signature, signReply(key, nonce, signed));
}

/** Returns the hash of a body that consists of `pieces` in this order. */
export function hashOf(...pieces: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha256');
  for (const piece of pieces) hash.update(piece);
  return hash.digest('hex');
}

function requestSignature(key: string, { method, path, query }: RequestTarget, payload: string): string {
  return hmac(key, ['request', method, path, query.toString(), payload]);
}

/** Returns the HMAC of the parts. They are encoded as a JSON list, so that different parts never have the same text. */
function hmac(key: string, parts: readonly (string | number)[]): string {
  return createHmac('sha256', key).update(JSON.stringify(parts)).digest('hex');
}

/** Compares two signatures in constant time. */
function isEqual(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

function parsePayload(payload: string): readonly unknown[] {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
    return Array.isArray(parsed) ? parsed : [];
  } catch {
    return [];
  }
}

function textOrNone(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
