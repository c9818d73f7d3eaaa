import type { LookupAddress, LookupOptions } from 'node:dns';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { SerialQueue } from '../kernel/serial-queue.ts';

/** Why a connection is not used: nothing has gone over it. */
export class UnexpectedPeer extends Error {
  readonly code: 'ELSEWHERE' | 'CLOSED_MEANWHILE';

  constructor(code: UnexpectedPeer['code']) {
    super(code);
    this.code = code;
  }
}

/** `ip:port` of the other end, as urls write it. */
export function peerOf({ remoteAddress = '', remotePort = 0 }: Pick<Socket, 'remoteAddress' | 'remotePort'>): string {
  return `${isIP(remoteAddress) === 6 ? `[${remoteAddress}]` : remoteAddress}:${remotePort}`;
}

/** Sees to it that all connections that share it lead to one address for as long as one of them is open. */
export class PinnedAddress {
  readonly #lookup: LookupFunction;
  #peer: string | undefined;
  #ip = '';
  #open = 0;
  readonly #queue = new SerialQueue();

  constructor(lookup: LookupFunction) {
    this.#lookup = lookup;
  }

  /** One dials at a time, so that the second knows where the first has arrived. `dial` says when it is over. */
  enqueue(dial: (over: () => void) => void): void {
    void this.#queue.run(() => new Promise<void>((resolve) => dial(resolve)));
  }

  /** Whether a connection to this peer may be used beside those that are open. */
  matches(peer: string): boolean {
    return this.#peer === undefined || this.#peer === peer;
  }

  /** Counts an established connection until it is closed. */
  retain(socket: Socket): void {
    this.#open += 1;
    this.#peer = peerOf(socket);
    this.#ip = socket.remoteAddress ?? '';
    socket.once('close', () => {
      this.#open -= 1;
      if (this.#open === 0) this.#peer = undefined;
    });
  }

  /**
   * Resolves names to the pinned address. If no address is pinned and the caller wants one (`host:port` as {@link peerOf}
   * returns it), resolves to that one only if the name still has it: a request cannot choose an arbitrary address.
   */
  lookupFor(wanted: () => string | undefined): LookupFunction {
    return (name, options, done) => {
      const give = (found: readonly LookupAddress[]): void => reportAddress(found, options, done);
      if (this.#peer !== undefined) return give([{ address: this.#ip, family: isIP(this.#ip) }]);
      this.#lookup(name, { ...options, all: true }, (error, found, family = 0) => {
        if (error !== null) return done(error, []);
        const all = typeof found === 'string' ? [{ address: found, family }] : found;
        const peer = wanted();
        give(peer === undefined ? all : all.filter(({ address }) => isPeerAddress(address, peer)));
      });
    };
  }
}

function reportAddress(
  found: readonly LookupAddress[],
  { all = false }: LookupOptions,
  done: Parameters<LookupFunction>[2],
): void {
  const [first] = found;
  if (first === undefined) done(new UnexpectedPeer('ELSEWHERE'), []);
  else if (all) done(null, [...found]);
  else done(null, first.address, first.family);
}

function isPeerAddress(address: string, peer: string): boolean {
  return peerOf({ remoteAddress: address, remotePort: Number(peer.slice(peer.lastIndexOf(':') + 1)) }) === peer;
}
