import { randomUUID } from 'node:crypto';
import { withDeadline } from '../../kernel/deadline.ts';
import type { HttpPool, HttpReply, OpenHttpPool } from '../../kernel/http.ts';
import type { RequestHandler } from '../../kernel/listener.ts';
import {
  maxPeerBody,
  maxPeerReply,
  type Peer,
  type PeerGate,
  type PeerReply,
  type PeerRequest,
  type Peers,
} from '../../kernel/peers.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { Clock } from '../../kernel/time.ts';
import { requestTarget } from '../http-messages.ts';
import { PeerRequestVerifier } from './peer-request-verifier.ts';
import { hashOf, isReplySigned, replySignatureHeader, signRequest } from './peer-signature.ts';

/** Maximum number of connections to one replica. Actions such as aborts may occupy some while others carry lists and events. */
const sockets = 8;

/** Replica that the database lists. */
export interface ListedReplica extends Peer {
  readonly isLive: boolean;
  /** SHA-256 fingerprint of the certificate of its listener; undefined without TLS. */
  readonly fingerprint: string | undefined;
}

/** Dependencies of a {@link PeerChannel}. */
export interface PeerChannelPorts {
  /** Clock whose wall time is that of the database. */
  readonly clock: Clock;
  /** Id of this replica. */
  readonly id: string;
  readonly openPool: OpenHttpPool;
  /** Paths that only other replicas can request, with their handlers. */
  readonly peerHandlers?: Readonly<Record<string, RequestHandler>>;
}

interface OpenPeer {
  readonly address: string;
  readonly pool: HttpPool;
}

/** Signed requests to the other replicas that share a database, with the key that it contains. */
export class PeerChannel implements Peers {
  readonly gate: PeerGate;
  readonly #ports: PeerChannelPorts;
  readonly #open = new Map<string, OpenPeer>();
  #key: string | undefined;
  #listed: readonly ListedReplica[] = [];

  constructor(ports: PeerChannelPorts) {
    this.#ports = ports;
    this.gate = new PeerRequestVerifier({ ...ports, key: () => this.#key });
  }

  /** Applies a poll result of the database: the replicas, and the key that they share. */
  update(replicas: readonly ListedReplica[], key: string | undefined): void {
    this.#key = key ?? this.#key;
    this.#listed = replicas.filter(({ id }) => id !== this.#ports.id);
    const known = new Map(this.#listed.map((replica) => [replica.id, addressOf(replica)]));
    for (const [id, { address, pool }] of this.#open) {
      if (known.get(id) === address) continue;
      this.#open.delete(id);
      void pool.close();
    }
  }

  /** Adds a replica that the last answer of the database does not contain. */
  introduce(id: string, address: Pick<ListedReplica, 'url' | 'fingerprint'>): void {
    const others = this.#listed.filter((one) => one.id !== id);
    this.update([...others, { ...address, id, name: id, isLive: true }], undefined);
  }

  live(): readonly Peer[] {
    return this.#listed.filter(({ isLive }) => isLive).map(({ id, name, url }) => ({ id, name, url }));
  }

  async request(id: string, request: PeerRequest): Promise<Result<PeerReply, string>> {
    const replica = this.#listed.find((one) => one.id === id);
    if (replica === undefined) return err(`replica ${id} is unknown`);
    const { body = '', timeout, ...target } = request;
    if (Buffer.byteLength(body) > maxPeerBody) return err(`the body is larger than ${maxPeerBody} bytes`);
    if (this.#key === undefined) return err('the key of the replicas is not loaded from the database yet');
    const key = this.#key;
    const nonce = randomUUID();
    const authorization = this.#authorize(key, { ...target, body, to: id, nonce });
    const reply = await withDeadline(this.#ports.clock, timeout, (signal) =>
      this.#poolOf(replica).request(
        {
          method: request.method,
          path: request.path,
          headers: { authorization, ...(body !== '' && { 'content-type': 'application/json' }) },
          ...(body !== '' && { body }),
          maxBytes: maxPeerReply,
        },
        signal,
      ),
    );
    if (!reply.ok) return err(`the replica ${replica.name} at ${replica.url} did not answer: ${reply.error.message}`);
    const opened = openReply(reply.value, key, nonce);
    return opened === undefined ? err(unsigned(replica, reply.value)) : ok(opened);
  }

  async close(): Promise<void> {
    const pools = [...this.#open.values()];
    this.#open.clear();
    await Promise.all(pools.map(({ pool }) => pool.close()));
  }

  #authorize(
    key: string,
    { method, path, body, to, nonce, user, operator }: Omit<PeerRequest, 'timeout'> & Record<'to' | 'nonce', string>,
  ): string {
    const { id: from, clock } = this.#ports;
    const at = clock.now().wall;
    const signed = { from, to, at, nonce, bodyHash: hashOf(body ?? ''), user, operator };
    return signRequest(key, { method, ...requestTarget(path) }, signed);
  }

  #poolOf(replica: ListedReplica): HttpPool {
    const known = this.#open.get(replica.id);
    if (known !== undefined) return known.pool;
    const { url: origin, fingerprint } = replica;
    const pool = this.#ports.openPool({ origin, sockets, ...(fingerprint !== undefined && { tls: { fingerprint } }) });
    this.#open.set(replica.id, { address: addressOf(replica), pool });
    return pool;
  }
}

function addressOf({ url, fingerprint = '' }: ListedReplica): string {
  return `${url} ${fingerprint}`;
}

/** Returns a reply; undefined unless its signature is that of the replica. */
function openReply({ status, headers, body, release }: HttpReply, key: string, nonce: string): PeerReply | undefined {
  const signature = headers[replySignatureHeader] ?? '';
  const { 'retry-after': retryAfter } = headers;
  const isSigned = isReplySigned(key, nonce, { status, bodyHash: hashOf(body), retryAfter, signature });
  const text = Buffer.from(body).toString('utf8');
  const reply = isSigned ? { status, body: text, ...(retryAfter !== undefined && { retryAfter }) } : undefined;
  release?.();
  return reply;
}

function unsigned({ name, url }: Peer, { status }: HttpReply): string {
  if (status === 401)
    return `the replica ${name} at ${url} rejects the signature: another replica listens at this address, or the database was restored from an old copy`;
  return `the response of ${url} with status ${status} is not signed: the address is not that of the replica ${name}; check web.advertise_url`;
}
