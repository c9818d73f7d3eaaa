import { X509Certificate } from 'node:crypto';
import { createServer as createPlainServer, type Server } from 'node:http';
import { createServer } from 'node:https';
import type { Socket } from 'node:net';
import { createSecureContext, type SecureContext, type TLSSocket } from 'node:tls';
import { callbackify } from 'node:util';
import type {
  BoundListener,
  FailedAuthentication,
  IncomingRequest,
  ListenerCounters,
  OutgoingReply,
  RequestHandler,
  TrustedProxies,
} from '../kernel/listener.ts';
import type { Logger } from '../kernel/logger.ts';
import type { ListenerPeers } from '../kernel/peers.ts';
import { ok, type Result } from '../kernel/result.ts';
import type { Files } from '../kernel/system.ts';
import type { Millis } from '../kernel/time.ts';
import type { ConfigProblem } from '../model/config-problem.ts';
import type { WebConfigFile } from '../model/web-settings.ts';
import { FailureLog } from './failure-log.ts';
import { forwardedUser } from './forwarded-user.ts';
import { bind, errorReply, handshakeTimeout, type ListenerBinding, listenerLimits } from './listener.ts';
import { comparePasswordsIn } from './password-worker.ts';
import { RequestTurns } from './request-turns.ts';
import type { ServerTls } from './server-tls.ts';
import { loadWebConfig, type WebConfig, type WebConfigPorts } from './web-config.ts';
import type { WorkerThread } from './worker-thread.ts';

/** Settings of the daemon's listener. */
export interface WebServerOptions {
  readonly host: string;
  readonly port: number;
  readonly handler: RequestHandler;
  readonly log: Logger;
  readonly webConfigFile?: string;
  readonly peers?: ListenerPeers | undefined;
  readonly isPublic: (path: string) => boolean;
  /** Returns the trusted proxies of the current configuration. */
  readonly trustedProxies: () => TrustedProxies;
  /** Returns the maximum number of connections of the current configuration. */
  readonly maxConnections: () => number;
  readonly counters: ListenerCounters;
  /** Called at most once a minute for each address. */
  readonly onAuthenticationFailed: (failure: FailedAuthentication) => void;
}

/** Listener of the daemon, with its scheme. */
export interface WebServer extends BoundListener {
  readonly scheme: 'http' | 'https';
  /** Returns the SHA-256 fingerprint of the current certificate; absent without TLS. */
  readonly fingerprint?: () => Promise<string | undefined>;
  /** Absent without a web config file. */
  readonly webConfig?: WebConfigFile;
}

/** Opens the daemon's listener, behind its web config file where there is one. Rejects when it cannot be bound. */
export type OpenWebServer = (options: WebServerOptions) => Promise<Result<WebServer, readonly ConfigProblem[]>>;

/** Dependencies of the listener. */
export interface WebServerPorts {
  readonly files: Files;
  /** The parser of the web config file. */
  readonly read: WebConfigPorts['read'];
  /** Creates the worker that compares passwords. */
  readonly passwords: () => WorkerThread;
}

/** Creates the function that opens listeners. Each listener with a web config file has its own password worker while it is open. */
export function openWebServer({ files, read, passwords }: WebServerPorts): OpenWebServer {
  return async (options) => {
    const { webConfigFile, log, handler, trustedProxies } = options;
    if (webConfigFile === undefined) {
      const behind = { ...options, handler: withPeers(behindProxies(handler, trustedProxies), options) };
      return ok({ ...(await bind(createPlainServer(listenerLimits), limited(behind))), scheme: 'http' });
    }
    const worker = passwords();
    const web = await loadWebConfig(webConfigFile, { files, read, log, compare: comparePasswordsIn(worker) });
    if (!web.ok) return web;
    const listening = await listenSecured(web.value, options);
    const close = async (grace: Millis): Promise<void> => {
      await listening.close(grace);
      await worker.stop();
    };
    const listener = { ...listening, close, webConfig: web.value.file };
    if (web.value.tlsOptions() === undefined) return ok({ ...listener, scheme: 'http' });
    return ok({ ...listener, scheme: 'https', fingerprint: fingerprintOf(web.value) });
  };
}

/** Dependencies of a listener with a web config file. */
export interface SecuredListenerOptions {
  readonly host: string;
  readonly port: number;
  readonly handler: RequestHandler;
  readonly peers?: ListenerPeers | undefined;
  /** Paths without authentication: those of probes. */
  readonly isPublic: (path: string) => boolean;
  readonly trustedProxies: () => TrustedProxies;
  readonly log: Logger;
  readonly maxConnections: () => number;
  readonly counters: ListenerCounters;
  /** Called at most once a minute for each address. */
  readonly onAuthenticationFailed: (failure: FailedAuthentication) => void;
}

/**
 * Opens a listener that a web config file protects: TLS with the certificate that is on disk at the handshake,
 * client certificates, users. Only HTTP/1.1, because scrapers gain nothing from HTTP/2. Rejects if the address cannot be bound.
 */
export async function listenSecured(web: WebConfig, options: SecuredListenerOptions): Promise<BoundListener> {
  const tls = await web.tlsOptions();
  const server = tls === undefined ? createPlainServer(listenerLimits) : secureServer(web, tls, options);
  const handler = withPeers(behindProxies(authenticatedHandler(web, options), options.trustedProxies), options);
  return bind(server, { ...limited({ ...options, handler }), headers: () => web.headers });
}

/** Adds the limits of the daemon's listener. Liveness and readiness do not wait for other requests. */
function limited<Options extends Pick<WebServerOptions, 'maxConnections' | 'counters' | 'log' | 'isPublic'>>(
  options: Options,
): Options & Pick<ListenerBinding, 'limits' | 'connections' | 'turn'> {
  const { maxConnections: max, counters, log, isPublic } = options;
  const turns = new RequestTurns();
  return {
    ...options,
    limits: listenerLimits,
    connections: { max, onClosed: counters.connectionClosed, log },
    turn: async ({ url = '', socket }) => {
      if (!isPublic(url)) await turns.next(socket.remoteAddress ?? '');
    },
  };
}

/** Answers the signed requests of other replicas, which have no password, before all others. */
function withPeers(
  handler: RequestHandler,
  { peers, log, counters, onAuthenticationFailed }: Omit<SecuredListenerOptions, 'handler'>,
): RequestHandler {
  if (peers === undefined) return handler;
  const failures = new FailureLog(log, onAuthenticationFailed);
  const answer = peers.gate.protect(peers.handler, async ({ remoteAddress }) => {
    counters.authenticationFailed('signature');
    failures.add(remoteAddress);
    return errorReply(401, 'Wrong signature.');
  });
  return (request) => (peers.gate.isSigned(request.headers) ? answer(request) : handler(request));
}

/** Adds the user that a trusted proxy authenticated. */
function behindProxies(handler: RequestHandler, proxies: () => TrustedProxies): RequestHandler {
  return (request) => {
    const user = forwardedUser(request, proxies());
    return handler(user === undefined ? request : { ...request, user });
  };
}

function authenticatedHandler(
  web: WebConfig,
  { handler, isPublic, log, counters, onAuthenticationFailed }: SecuredListenerOptions,
): RequestHandler {
  const failures = new FailureLog(log, onAuthenticationFailed);
  const busy = new FailureLog(undefined, (failure) => log.warn('too many password checks', { ...failure }));
  return async (request: IncomingRequest): Promise<OutgoingReply> => {
    if (isPublic(request.path) || request.user !== undefined) return handler(request);
    const identity = await web.authenticate(request.headers.authorization, request.remoteAddress);
    if (identity === 'busy') {
      counters.authenticationFailed('busy');
      busy.add(request.remoteAddress);
      return tooManyPasswords;
    }
    if (identity === 'denied') {
      const isAnonymous = request.headers.authorization === undefined;
      if (!isAnonymous) failures.add(request.remoteAddress);
      counters.authenticationFailed(isAnonymous ? 'no_credentials' : 'wrong_credentials');
      return unauthorized;
    }
    return handler(identity === 'off' ? request : { ...request, user: identity.user });
  };
}

const tooManyProblem = errorReply(
  429,
  'Too many password checks are in progress. The password was not checked. Repeat the request later.',
);
const tooManyPasswords: OutgoingReply = {
  ...tooManyProblem,
  headers: { ...tooManyProblem.headers, 'retry-after': '2' },
};

const unauthorizedProblem = errorReply(401, 'Wrong or missing user name and password.');
const unauthorized: OutgoingReply = {
  ...unauthorizedProblem,
  headers: { ...unauthorizedProblem.headers, 'www-authenticate': 'Basic realm="graphwarden", charset="UTF-8"' },
};

function secureServer(web: WebConfig, first: ServerTls, { log, counters }: SecuredListenerOptions): Server {
  const certificate = currentCertificate(web, first);
  const server = createServer({
    ...listenerLimits,
    ...first,
    handshakeTimeout,
    SNICallback: callbackify(async (_name: string) => (await certificate()).context),
  });
  let inUse = first;
  // A client without SNI, which connected to an IP address, gets the default context of the server. It is replaced before the
  // handshake begins.
  async function renew(): Promise<void> {
    try {
      const { options } = await certificate();
      if (options !== inUse) server.setSecureContext(options);
      inUse = options;
    } catch (error) {
      log.error('listener certificate reload failed', { error });
    }
  }
  handshakeAfter(server, renew);
  server.prependListener('secureConnection', (socket) => {
    if (web.isClientAllowed(clientCertificateOf(socket))) return;
    counters.authenticationFailed('client_certificate');
    socket.destroy();
  });
  return server;
}

/** Delays each handshake until `prepare` is done, so that it uses the current certificate and client CA. */
function handshakeAfter(server: Server, prepare: () => Promise<void>): void {
  const handshakes = server.listeners('connection');
  server.removeAllListeners('connection');
  async function begin(socket: Socket): Promise<void> {
    socket.on('error', ignoreError);
    await prepare();
    socket.off('error', ignoreError);
    if (!socket.destroyed) for (const handshake of handshakes) Reflect.apply(handshake, server, [socket]);
  }
  server.on('connection', (socket) => void begin(socket));
}

/** Listener for errors before the handshake, such as a connection that the client resets. */
function ignoreError(): void {}

interface Certificate {
  readonly options: ServerTls;
  readonly context: SecureContext;
}

function currentCertificate(web: WebConfig, first: ServerTls): () => Promise<Certificate> {
  let last: Certificate = { options: first, context: createSecureContext(first) };
  return async () => {
    const options = (await web.tlsOptions()) ?? last.options;
    if (options !== last.options) last = { options, context: createSecureContext(options) };
    return last;
  };
}

/** Returns the fingerprint of the certificate that is on disk, which clients get. */
function fingerprintOf(web: WebConfig): () => Promise<string | undefined> {
  let last: { readonly options: ServerTls; readonly fingerprint: string } | undefined;
  return async () => {
    const options = await web.tlsOptions();
    if (options === undefined) return undefined;
    if (options !== last?.options) {
      last = { options, fingerprint: new X509Certificate(options.cert).fingerprint256 };
    }
    return last.fingerprint;
  };
}

function clientCertificateOf(socket: TLSSocket): Parameters<WebConfig['isClientAllowed']>[0] {
  const { subject, subjectaltname = '' } = socket.getPeerCertificate();
  return { presented: subject !== undefined, authorized: socket.authorized, alternativeNames: subjectaltname };
}
