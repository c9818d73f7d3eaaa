import type { LookupAddress, LookupOptions } from 'node:dns';
import { isIP, type LookupFunction, type Socket } from 'node:net';

/** Why a connection is not used: nothing has gone over it. */
export class Unwanted extends Error {
  readonly code: 'ELSEWHERE' | 'CLOSED_MEANWHILE';

  constructor(code: Unwanted['code']) {
    super(code);
    this.code = code;
  }
}

/** `ip:port` of the other end, as urls write it. */
export function peerOf({ remoteAddress = '', remotePort = 0 }: Pick<Socket, 'remoteAddress' | 'remotePort'>): string {
  return `${isIP(remoteAddress) === 6 ? `[${remoteAddress}]` : remoteAddress}:${remotePort}`;
}

/** Sees to it that all connections that share it lead to one address for as long as one of them is open. */
export class OneAddress {
  readonly #lookup: LookupFunction;
  #peer: string | undefined;
  #ip = '';
  #open = 0;
  #line: Promise<void> = Promise.resolve();

  constructor(lookup: LookupFunction) {
    this.#lookup = lookup;
  }

  /** One dials at a time, so that the second knows where the first has arrived. `dial` says when it is over. */
  inTurn(dial: (over: () => void) => void): void {
    this.#line = this.#line.then(() => new Promise((resolve) => dial(resolve)));
  }

  /** Whether a connection to this peer may be used beside those that are open. */
  suits(peer: string): boolean {
    return this.#peer === undefined || this.#peer === peer;
  }

  /** Counts an established connection until it is closed. */
  hold(socket: Socket): void {
    this.#open += 1;
    this.#peer = peerOf(socket);
    this.#ip = socket.remoteAddress ?? '';
    socket.once('close', () => {
      this.#open -= 1;
      if (this.#open === 0) this.#peer = undefined;
    });
  }

  /**
   * Resolves names to the address that is held. Where none is, and one is wanted (`host:port` as {@link peerOf} gives
   * it), to that one, provided that the name still has it: nobody can be sent to an address of his own choice.
   */
  lookupFor(wanted: () => string | undefined): LookupFunction {
    return (name, options, done) => {
      const give = (found: readonly LookupAddress[]): void => answer(found, options, done);
      if (this.#peer !== undefined) return give([{ address: this.#ip, family: isIP(this.#ip) }]);
      this.#lookup(name, { ...options, all: true }, (error, found, family = 0) => {
        if (error !== null) return done(error, []);
        const all = typeof found === 'string' ? [{ address: found, family }] : found;
        const peer = wanted();
        give(peer === undefined ? all : all.filter(({ address }) => leadsTo(address, peer)));
      });
    };
  }
}

function answer(
  found: readonly LookupAddress[],
  { all = false }: LookupOptions,
  done: Parameters<LookupFunction>[2],
): void {
  const [first] = found;
  if (first === undefined) done(new Unwanted('ELSEWHERE'), []);
  else if (all) done(null, [...found]);
  else done(null, first.address, first.family);
}

function leadsTo(address: string, peer: string): boolean {
  return peerOf({ remoteAddress: address, remotePort: Number(peer.slice(peer.lastIndexOf(':') + 1)) }) === peer;
}
