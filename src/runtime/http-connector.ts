import type { LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import type { TlsMaterial } from '../kernel/http.ts';

const connectTimeout = 3000;

/** Opens the connections of one pool and counts them. */
export interface Connector {
  readonly connect: buildConnector.connector;
  /** Connections open right now. */
  open(): number;
  /** Connections ever opened or tried. */
  opened(): number;
  /** The last TLS alert that a peer sent on an established connection. */
  lastAlert(): Error | undefined;
}

/**
 * TCP and TLS with the cluster's material; a connection that does not come about in three seconds is given up.
 * `lookup` turns names into addresses, if not as the system does.
 */
export function createConnector(tls: TlsMaterial, lookup?: LookupFunction): Connector {
  const dial = buildConnector({
    allowH2: false,
    timeout: connectTimeout,
    ...(lookup !== undefined && { lookup }),
    ...(tls.ca !== undefined && { ca: tls.ca }),
    ...(tls.cert !== undefined && { cert: tls.cert }),
    ...(tls.key !== undefined && { key: tls.key }),
    rejectUnauthorized: tls.insecureSkipVerify !== true,
  });
  let open = 0;
  let opened = 0;
  let alert: Error | undefined;
  const connect: buildConnector.connector = (options, done) => {
    opened += 1;
    // undici would rather check the certificate against the host of the url than against the configured name.
    const named = tls.serverName === undefined ? options : { ...options, servername: tls.serverName };
    dial(named, (...[error, socket]) => {
      if (error !== null) return done(error, null);
      open += 1;
      socket.once('close', () => {
        open -= 1;
      });
      // Since TLS 1.3 a refused client certificate shows only now, and undici reports no more than the end.
      socket.on('error', (trouble) => {
        if ('code' in trouble && String(trouble.code).startsWith('ERR_SSL')) alert = trouble;
      });
      done(null, socket);
    });
  };
  return { connect, open: () => open, opened: () => opened, lastAlert: () => alert };
}
