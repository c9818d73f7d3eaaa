import { createServer as createPlainServer, type Server } from 'node:http';
import { createServer } from 'node:https';
import { createSecureContext, type SecureContext, type TLSSocket } from 'node:tls';
import { callbackify } from 'node:util';
import type { BoundListener, IncomingRequest, OutgoingReply, RequestHandler } from '../kernel/listener.ts';
import type { Logger } from '../kernel/logger.ts';
import { ok, type Result } from '../kernel/result.ts';
import type { Files } from '../kernel/system.ts';
import type { Millis } from '../kernel/time.ts';
import type { ConfigProblem } from '../model/config-problem.ts';
import { bind, errorReply, handshakeTimeout, listen, listenerLimits } from './listener.ts';
import { comparePasswordsIn } from './password-worker.ts';
import type { ServerTls } from './server-tls.ts';
import { loadWebConfig, type WebConfig, type WebConfigPorts } from './web-config.ts';
import type { WorkerThread } from './worker-thread.ts';

/** How the daemon is served. */
export interface WebServerOptions {
  readonly host: string;
  readonly port: number;
  readonly handler: RequestHandler;
  readonly log: Logger;
  readonly webConfigFile?: string;
  readonly isPublic: (path: string) => boolean;
}

/** The daemon's listener, and how it is spoken to. */
export interface WebServer extends BoundListener {
  readonly scheme: 'http' | 'https';
}

/** Opens the daemon's listener, behind its web config file where there is one. Rejects when it cannot be bound. */
export type OpenWebServer = (options: WebServerOptions) => Promise<Result<WebServer, readonly ConfigProblem[]>>;

/** What a front is made with. */
export interface WebServerPorts {
  readonly files: Files;
  /** The parser of the web config file. */
  readonly read: WebConfigPorts['read'];
  /** Gives the worker that compares passwords. */
  readonly passwords: () => WorkerThread;
}

/** Fronts over the real network; each has a worker of its own, for as long as it is open. */
export function openWebServer({ files, read, passwords }: WebServerPorts): OpenWebServer {
  return async (options) => {
    const { webConfigFile, log } = options;
    if (webConfigFile === undefined) return ok({ ...(await listen(options)), scheme: 'http' });
    const worker = passwords();
    const web = await loadWebConfig(webConfigFile, { files, read, log, compare: comparePasswordsIn(worker) });
    if (!web.ok) return web;
    const listening = await listenSecured(web.value, options);
    const close = async (grace: Millis): Promise<void> => {
      await listening.close(grace);
      await worker.stop();
    };
    return ok({ ...listening, close, scheme: web.value.tlsOptions() === undefined ? 'http' : 'https' });
  };
}

/** What a listener behind a web config file needs. */
export interface SecuredListenerOptions {
  readonly host: string;
  readonly port: number;
  readonly handler: RequestHandler;
  /** What is never behind authentication: the paths of probes. */
  readonly isPublic: (path: string) => boolean;
  readonly log?: Logger;
}

/**
 * Opens a listener that a web config file protects: TLS with the certificate that is on disk at the handshake,
 * client certificates, users. HTTP/1.1 alone: scrapers gain nothing from HTTP/2. Rejects as `listen` does.
 */
export async function listenSecured(web: WebConfig, options: SecuredListenerOptions): Promise<BoundListener> {
  const tls = await web.tlsOptions();
  const server = tls === undefined ? createPlainServer(listenerLimits) : secureServer(web, tls, options.log);
  return bind(server, {
    ...options,
    handler: authenticatedHandler(web, options),
    headers: () => web.headers,
    limits: listenerLimits,
  });
}

function authenticatedHandler(web: WebConfig, { handler, isPublic }: SecuredListenerOptions): RequestHandler {
  return async (request: IncomingRequest): Promise<OutgoingReply> => {
    if (isPublic(request.path)) return handler(request);
    const identity = await web.authenticate(request.headers.authorization);
    if (identity === 'denied') return unauthorized;
    return handler(identity === 'off' ? request : { ...request, user: identity.user });
  };
}

const unauthorizedProblem = errorReply(401, 'Wrong or missing user name and password.');
const unauthorized: OutgoingReply = {
  ...unauthorizedProblem,
  headers: { ...unauthorizedProblem.headers, 'www-authenticate': 'Basic realm="graphwarden", charset="UTF-8"' },
};

function secureServer(web: WebConfig, first: ServerTls, log?: Logger): Server {
  const certificate = currentCertificate(web, first);
  const server = createServer({
    ...listenerLimits,
    ...first,
    handshakeTimeout,
    SNICallback: callbackify(async (_name: string) => (await certificate()).context),
  });
  let inUse = first;
  // A client that names no server (it connected to a bare address) is given the server's own context, which can
  // only be replaced between handshakes.
  async function renew(): Promise<void> {
    try {
      const { options } = await certificate();
      if (options !== inUse) server.setSecureContext(options);
      inUse = options;
    } catch (error) {
      log?.error('listener certificate reload failed', { error });
    }
  }
  server.on('connection', () => void renew());
  server.prependListener('secureConnection', (socket) => {
    if (!web.isClientAllowed(clientCertificateOf(socket))) socket.destroy();
  });
  return server;
}

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

function clientCertificateOf(socket: TLSSocket): Parameters<WebConfig['isClientAllowed']>[0] {
  const { subject, subjectaltname = '' } = socket.getPeerCertificate();
  return { presented: subject !== undefined, authorized: socket.authorized, alternativeNames: subjectaltname };
}
