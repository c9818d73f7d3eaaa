import type { IncomingRequest, OutgoingReply, RequestHandler } from '../../kernel/listener.ts';
import { maxPeerBody, type PeerGate } from '../../kernel/peers.ts';
import type { Clock, Millis } from '../../kernel/time.ts';
import { RejectedRequest } from '../http-messages.ts';
import { errorReply } from '../listener.ts';
import {
  hashOf,
  isReplicaAuthorization,
  replySignatureHeader,
  type SignedRequest,
  signReply,
  verifyRequest,
} from './peer-signature.ts';

/** Time for which a signature is valid, before and after the time that it states. */
export const signatureWindow: Millis = 60_000;

/** Maximum number of requests of other replicas within the window; each takes about 100 bytes. */
const maxNonces = 100_000;

/** Dependencies of a {@link PeerRequestVerifier}. */
export interface PeerRequestVerifierPorts {
  /** Clock whose wall time is that of the database. */
  readonly clock: Clock;
  /** Id of this replica. */
  readonly id: string;
  /** Returns the key that the replicas share; undefined before the first answer of the database. */
  readonly key: () => string | undefined;
  /** Paths that only other replicas can request. */
  readonly peerHandlers?: Readonly<Record<string, RequestHandler>> | undefined;
}

/** Handles requests of other replicas: verifies the signature, rejects one that was used before, and signs the reply. */
export class PeerRequestVerifier implements PeerGate {
  readonly #ports: PeerRequestVerifierPorts;
  /** Nonces in the order of their arrival, with the wall time until which their signatures are valid, or longer. */
  readonly #nonces = new Map<string, number>();

  constructor(ports: PeerRequestVerifierPorts) {
    this.#ports = ports;
  }

  isSigned({ authorization }: Readonly<Record<string, string>>): boolean {
    return isReplicaAuthorization(authorization);
  }

  protect(handler: RequestHandler, refused: RequestHandler): RequestHandler {
    return async ({ user: _user, operator: _operator, ...request }) => {
      const key = this.#ports.key();
      if (key === undefined)
        return errorReply(
          503,
          'The key of the replicas is not loaded from the database yet. Repeat the request later.',
        );
      const signed = verifyRequest(key, request, request.headers.authorization ?? '');
      // The signature is checked before the body is read, so that only replicas can send one.
      if (signed === undefined || !this.#accept(signed)) return refused(request);
      const body = await request.text(maxPeerBody);
      if (hashOf(body) !== signed.bodyHash) return refused(request);
      const answer = this.#ports.peerHandlers?.[request.path] ?? handler;
      return sign(await answer(authenticated(request, signed, body)), key, signed);
    };
  }

  /** Whether a request with a valid signature is for this replica, is recent, and was not received before. */
  #accept({ to, at, nonce }: SignedRequest): boolean {
    const now = this.#ports.clock.now().wall;
    for (const [old, until] of this.#nonces) {
      if (until >= now) break;
      this.#nonces.delete(old);
    }
    if (to !== this.#ports.id || !(Math.abs(now - at) <= signatureWindow)) return false;
    if (this.#nonces.has(nonce) || this.#nonces.size >= maxNonces) return false;
    this.#nonces.set(nonce, Math.max(now, at) + signatureWindow);
    return true;
  }
}

function authenticated(
  request: IncomingRequest,
  { from, user, operator }: SignedRequest,
  body: string,
): IncomingRequest {
  return {
    ...request,
    ...(user !== undefined && { user }),
    ...(operator !== undefined && { operator }),
    replica: from,
    text: async (maxBytes) => {
      if (Buffer.byteLength(body) <= maxBytes) return body;
      throw new RejectedRequest(413, `The body is larger than ${maxBytes} bytes.`);
    },
  };
}

function sign(reply: OutgoingReply, key: string, { nonce }: SignedRequest): OutgoingReply {
  const { status, headers, body = '' } = reply;
  if (typeof body === 'object' && Symbol.asyncIterator in body) {
    reply.onSent?.();
    return errorReply(406, 'A stream is not sent to another replica.');
  }
  const pieces = typeof body === 'string' || body instanceof Uint8Array ? [body] : body;
  const { 'retry-after': retryAfter } = { 'retry-after': undefined, ...headers };
  const signature = signReply(key, nonce, { status, bodyHash: hashOf(...pieces), retryAfter });
  return { ...reply, headers: { ...headers, [replySignatureHeader]: signature } };
}
