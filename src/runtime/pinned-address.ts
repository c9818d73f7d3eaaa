import type { LookupAddress, LookupOptions } from 'node:dns';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { SerialQueue } from '../kernel/serial-queue.ts';

/** Error of a connection that is closed before any request is sent. */
export class RejectedConnection extends Error {
  readonly code: 'UNEXPECTED_ADDRESS' | 'CLOSED_BEFORE_REQUEST';

  constructor(code: RejectedConnection['code']) {
    super(code);
    this.code = code;
  }
}

/** Returns `ip:port` of the peer, in the notation of URLs. */
export function peerOf({ remoteAddress = '', remotePort = 0 }: Pick<Socket, 'remoteAddress' | 'remotePort'>): string {
  return `${isIP(remoteAddress) === 6 ? `[${remoteAddress}]` : remoteAddress}:${remotePort}`;
}

/** Keeps all connections that share it at one address while one of them is open. */
export class PinnedAddress {
  readonly #lookup: LookupFunction;
  #peer: string | undefined;
  #ip = '';
  #open = 0;
  readonly #queue = new SerialQueue();

  constructor(lookup: LookupFunction) {
    this.#lookup = lookup;
  }

  /** Runs one connection attempt at a time, so that the next one knows the address of the first. `dial` reports its end. */
  enqueue(dial: (over: () => void) => void): void {
    void this.#queue.run(() => new Promise<void>((resolve) => dial(resolve)));
  }

  /** Returns whether a connection to this peer may be used in addition to the open ones. */
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
