import type { Socket } from 'node:net';
import { type buildConnector, Client } from 'undici';
import { failure } from '../kernel/failure.ts';
import type { HttpRequest, TlsMaterial } from '../kernel/http.ts';
import { err, ok } from '../kernel/result.ts';
import type { BodyRoom } from './body-room.ts';
import { type Connector, createConnector } from './http-connector.ts';
import { send, type Wire, type WireReply, wireOptions } from './http-wire.ts';
import { type OneAddress, peerOf, Unwanted } from './one-address.ts';

/** What a lane is opened with; the address and the room are shared by all lanes of a pool. */
export interface LaneParts {
  readonly origin: string;
  readonly tls: TlsMaterial;
  readonly address: OneAddress;
  readonly room: BodyRoom;
}

/** A single connection that knows where it leads, opened anew when it is needed. It carries one request at a time. */
export class Lane implements Wire {
  readonly dispatcher: Client;
  readonly connector: Connector;
  readonly room: BodyRoom;
  isBusy = false;
  /** Whether the request under way has had a connection to leave by: as long as it has not, it can be given up. */
  hadWay = false;
  readonly #address: OneAddress;
  #socket: Socket | undefined;
  /** Of the newest connection. */
  #peer = '';
  #only: string | undefined;
  #dialsLeft = 0;

  constructor({ origin, tls, address, room }: LaneParts) {
    this.room = room;
    this.#address = address;
    this.connector = createConnector(
      tls,
      address.lookupFor(() => this.#only),
    );
    const connect: buildConnector.connector = (options, done) =>
      address.inTurn((over) => {
        this.#dial(options, (...result) => {
          over();
          done(...result);
        });
      });
    this.dispatcher = new Client(origin, { ...wireOptions, connect });
  }

  /** Whether its connection is kept. */
  isOpen(): boolean {
    return this.#socket?.destroyed === false;
  }

  /** Sends a request. What says `once` gets one connection and no other, so that nothing below can send it twice. */
  async carry(request: HttpRequest, signal: AbortSignal): Promise<WireReply> {
    this.hadWay = this.isOpen();
    this.#only = request.only?.peer;
    if (this.hadWay && !this.#isWanted(this.#peer)) {
      return err({ ...failure('unreachable', 'the connection leads to another address'), unsent: true });
    }
    this.#dialsLeft = request.once === true ? Number(!this.hadWay) : Number.POSITIVE_INFINITY;
    const reply = await send(this, request, signal);
    if (reply.ok) return ok({ ...reply.value, peer: this.#peer });
    return this.hadWay ? reply : err({ ...reply.error, unsent: true });
  }

  #isWanted(peer: string): boolean {
    return this.#only === undefined || this.#only === peer;
  }

  #dial(options: buildConnector.Options, done: buildConnector.Callback): void {
    if (this.#dialsLeft === 0) {
      done(new Unwanted('CLOSED_MEANWHILE'), null);
      return;
    }
    this.#dialsLeft -= 1;
    const arrived: buildConnector.Callback = (...result) => {
      const [, socket] = result;
      if (socket === null || this.#accept(socket)) done(...result);
      else done(new Unwanted('ELSEWHERE'), null);
    };
    try {
      this.connector.connect(options, arrived);
    } catch (error) {
      // Where a certificate cannot be parsed, TLS does not even begin.
      done(error instanceof Error ? error : new Error('no connection can be begun'), null);
    }
  }

  #accept(socket: Socket): boolean {
    const peer = peerOf(socket);
    if (!this.#isWanted(peer) || !this.#address.suits(peer)) {
      socket.destroy();
      return false;
    }
    this.#address.hold(socket);
    this.#socket = socket;
    this.#peer = peer;
    this.hadWay = true;
    return true;
  }
}
