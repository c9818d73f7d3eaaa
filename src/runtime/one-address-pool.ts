import type { LookupFunction } from 'node:net';
import type { HttpFailure, HttpPool, HttpRequest, OpenHttpPool } from '../kernel/http.ts';
import { err } from '../kernel/result.ts';
import { BodyRoom } from './body-room.ts';
import { timedOut } from './http-trouble.ts';
import { unlessAborted, type WireReply } from './http-wire.ts';
import { Lane } from './lane.ts';
import { OneAddress } from './one-address.ts';
import { createTurnstile } from './turnstile.ts';

/**
 * A pool all connections of which lead to one address. Each is a lane of its own, since undici's pool tells nobody
 * which connection a request takes, nor whether it has had one.
 */
export function openOneAddressPool(options: Parameters<OpenHttpPool>[0], lookup: LookupFunction): HttpPool {
  const { origin, sockets, tls = {} } = options;
  const shared = { origin, tls, address: new OneAddress(lookup), room: new BodyRoom() };
  const lanes = Array.from({ length: sockets }, () => new Lane(shared));
  const turnstile = createTurnstile(sockets);

  /** `taken` is told the lane. */
  async function pass(request: HttpRequest, taken: (lane: Lane) => void, signal: AbortSignal): Promise<WireReply> {
    const { urgent = false } = request;
    if (!(await turnstile.enter(urgent, signal))) return err(unsent());
    const lane = freeAmong(lanes);
    lane.isBusy = true;
    const reply = lane.carry(request, signal);
    taken(lane);
    void reply.finally(() => {
      lane.isBusy = false;
      turnstile.leave(urgent);
    });
    return await unlessAborted(reply, () => (lane.hadWay ? timedOut() : unsent()), signal);
  }

  return {
    async request(request, signal) {
      const { leaveWithin } = request;
      if (leaveWithin === undefined) return await pass(request, () => undefined, signal);
      let lane: Lane | undefined;
      const late = new AbortController();
      const timer = setTimeout(() => {
        if (lane?.hadWay !== true) late.abort();
      }, leaveWithin);
      const take = (taken: Lane): void => {
        lane = taken;
      };
      const reply = pass(request, take, AbortSignal.any([signal, late.signal]));
      return await reply.finally(() => clearTimeout(timer));
    },
    sockets: () => lanes.reduce((sum, { connector }) => sum + connector.open(), 0),
    async close() {
      await Promise.all(lanes.map(({ dispatcher }) => dispatcher.destroy()));
    },
  };
}

/** Nothing goes over a connection that comes about after its request was given up. */
function unsent(): HttpFailure {
  return { ...timedOut(), unsent: true };
}

/** A kept connection is warm: it goes before one that has to be opened. */
function freeAmong(lanes: readonly Lane[]): Lane {
  const free = lanes.filter(({ isBusy }) => !isBusy);
  const lane = free.find((one) => one.isOpen()) ?? free[0];
  if (lane === undefined) throw new Error('more requests were let in than there are lanes');
  return lane;
}
