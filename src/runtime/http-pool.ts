import { lookup } from 'node:dns';
import { Pool } from 'undici';
import { failure } from '../kernel/failure.ts';
import type { OpenHttpPool } from '../kernel/http.ts';
import { err } from '../kernel/result.ts';
import { BodyRoom } from './body-room.ts';
import { createConnector } from './http-connector.ts';
import { timedOut } from './http-trouble.ts';
import { send, unlessAborted, wireOptions } from './http-wire.ts';
import { openOneAddressPool } from './one-address-pool.ts';
import { createTurnstile } from './turnstile.ts';

/**
 * The pool over undici: HTTP/1.1, keep-alive, one request per connection at a time. Waiting for a free
 * connection counts within the caller's own deadline.
 */
export const openHttpPool: OpenHttpPool = (options) => {
  if (options.oneAddress === true) return openOneAddressPool(options, lookup);
  const { origin, sockets, tls } = options;
  const connector = createConnector(tls ?? {});
  const dispatcher = new Pool(origin, { ...wireOptions, connections: sockets, connect: connector.connect });
  const wire = { dispatcher, connector, room: new BodyRoom() };
  const turnstile = createTurnstile(sockets);
  return {
    async request(request, signal) {
      const { urgent = false, only } = request;
      if (only !== undefined) return err({ ...failure('unreachable', 'it cannot be told who is asked'), unsent: true });
      if (!(await turnstile.enter(urgent, signal))) return err(timedOut());
      const reply = send(wire, request, signal);
      void reply.then(() => turnstile.leave(urgent));
      return await unlessAborted(reply, timedOut, signal);
    },
    sockets: () => connector.open(),
    close: () => dispatcher.destroy(),
  };
};
