import type { LookupFunction, Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { buildConnector } from 'undici';
import type { TlsMaterial } from '../kernel/http.ts';
import type { Millis } from '../kernel/time.ts';
import { nodeTlsOptions, tlsMaterialProblem } from './tls-material.ts';

/** Timeout of a connection attempt. */
export const connectTimeout: Millis = 3000;

/** Opens the connections of one pool and counts them. */
export interface Connector {
  readonly connect: buildConnector.connector;
  /** Connections open right now. */
  open(): number;
  /** Connections ever opened or tried. */
  opened(): number;
  /** The last TLS alert that a peer sent on an established connection. */
  lastAlert(): Error | undefined;
  /** Returns what is wrong with the TLS files, to explain a failed handshake. */
  tlsProblem(): string | undefined;
}

/**
 * Creates a connector over TCP, or TLS with the given certificates. A connection that is not established after
 * {@link connectTimeout} fails. `lookup` replaces the name resolution of the system; `socketPath` connects to a Unix socket instead.
 */
export function createConnector(
  tls: TlsMaterial,
  { lookup, socketPath }: { readonly lookup?: LookupFunction; readonly socketPath?: string } = {},
): Connector {
  const dial = buildConnector({
    ...connectorOptions(tls),
    ...(lookup !== undefined && { lookup }),
    ...(socketPath !== undefined && { socketPath }),
  });
  // By default, undici checks the certificate against the host of the URL and not against the configured name.
  const named: buildConnector.connector = (options, done) =>
    dial(tls.serverName === undefined ? options : { ...options, servername: tls.serverName }, done);
  return countConnections(tls.fingerprint === undefined ? named : withFingerprint(named, tls.fingerprint), tls);
}

/** Wraps a connector to close connections to servers with another certificate before any request is sent. */
function withFingerprint(dial: buildConnector.connector, fingerprint: string): buildConnector.connector {
  return (options, done) =>
    dial(options, (...[error, socket]) => {
      if (error !== null) return done(error, null);
      if (socket instanceof TLSSocket && socket.getPeerX509Certificate()?.fingerprint256 === fingerprint)
        return done(null, socket);
      socket.destroy();
      done(Object.assign(new Error('unexpected certificate'), { code: 'UNEXPECTED_CERTIFICATE' }), null);
    });
}

/** Options of a TCP or TLS connection with HTTP/1.1. */
export function connectorOptions(tls: TlsMaterial): buildConnector.BuildOptions {
  // A resumed session has no certificate to compare with the fingerprint.
  const sessions = tls.fingerprint === undefined ? {} : { maxCachedSessions: 0 };
  return { allowH2: false, timeout: connectTimeout, ...sessions, ...nodeTlsOptions(tls) };
}

/** Wraps a connector to count its connections. */
export function countConnections(dial: buildConnector.connector, tls: TlsMaterial): Connector {
  let open = 0;
  let opened = 0;
  let alert: Error | undefined;
  const connect: buildConnector.connector = (options, done) => {
    opened += 1;
    dial(options, (...[error, socket]) => {
      if (error !== null) return done(error, null);
      open += 1;
      limitStackTraces(socket);
      socket.once('close', () => {
        open -= 1;
      });
      // Since TLS 1.3, a server rejects a client certificate after the handshake, and undici reports only that the connection ended.
      socket.on('error', (socketError) => {
        if ('code' in socketError && String(socketError.code).startsWith('ERR_SSL')) alert = socketError;
      });
      done(null, socket);
    });
  };
  const tlsProblem = (): string | undefined => tlsMaterialProblem(tls, Date.now());
  return { connect, open: () => open, opened: () => opened, lastAlert: () => alert, tlsProblem };
}

/**
 * Disables stack traces of header overflow errors: undici creates one for each header beyond its limit in a received chunk, and
 * with their stack traces 20,000 headers block the event loop for half a second. Only the first error is reported.
 */
function limitStackTraces(socket: Socket): void {
  const destroy = socket.destroy.bind(socket);
  const destroyOnce = (error?: Error): Socket => {
    if (error !== undefined && 'code' in error && error.code === 'UND_ERR_HEADERS_OVERFLOW') {
      const { stackTraceLimit } = Error;
      Error.stackTraceLimit = 0;
      process.nextTick(() => {
        Error.stackTraceLimit = stackTraceLimit;
      });
    }
    return destroy(error);
  };
  Object.defineProperty(socket, 'destroy', { value: destroyOnce, writable: true, configurable: true });
}
