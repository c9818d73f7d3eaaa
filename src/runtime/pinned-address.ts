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

  /** Resolves names to the address of the open connections, if there is one. */
  readonly lookup: LookupFunction = (name, options, done) => {
    if (this.#peer === undefined) this.#lookup(name, options, done);
    else reportAddress({ address: this.#ip, family: isIP(this.#ip) }, options, done);
  };
}

function reportAddress(
  found: LookupAddress,
  { all = false }: LookupOptions,
  done: Parameters<LookupFunction>[2],
): void {
  if (all) done(null, [found]);
  else done(null, found.address, found.family);
}
