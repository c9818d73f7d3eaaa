import { createServer as createPlainServer, type Server } from 'node:http';
import { createServer } from 'node:https';
import { createSecureContext, type SecureContext, type TLSSocket } from 'node:tls';
import { callbackify } from 'node:util';
import type { IncomingRequest, Listening, OutgoingReply, RequestHandler } from '../kernel/listener.ts';
import type { Logger } from '../kernel/logger.ts';
import { bind, handshakeTimeout, listenerLimits, problem } from './listener.ts';
import type { ServerTls } from './server-tls.ts';
import type { WebConfig } from './web-config.ts';

/** What a listener behind a web config file needs. */
export interface SecuredOptions {
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
export async function listenSecured(web: WebConfig, options: SecuredOptions): Promise<Listening> {
  const tls = await web.tlsOptions();
  const server = tls === undefined ? createPlainServer(listenerLimits) : secureServer(web, tls, options.log);
  return bind(server, {
    ...options,
    handler: guarded(web, options),
    headers: () => web.headers,
    limits: listenerLimits,
  });
}

function guarded(web: WebConfig, { handler, isPublic }: SecuredOptions): RequestHandler {
  return async (request: IncomingRequest): Promise<OutgoingReply> => {
    if (isPublic(request.path)) return handler(request);
    const identity = await web.authenticate(request.headers.authorization);
    if (identity === 'denied') return unauthorized;
    return handler(identity === 'off' ? request : { ...request, user: identity.user });
  };
}

const denial = problem(401, 'Wrong or missing user name and password.');
const unauthorized: OutgoingReply = {
  ...denial,
  headers: { ...denial.headers, 'www-authenticate': 'Basic realm="graphwarden", charset="UTF-8"' },
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
      log?.error('renewing the certificate of the listener failed', { error });
    }
  }
  server.on('connection', () => void renew());
  server.prependListener('secureConnection', (socket) => {
    if (!web.admits(presentedBy(socket))) socket.destroy();
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

function presentedBy(socket: TLSSocket): Parameters<WebConfig['admits']>[0] {
  const { subject, subjectaltname = '' } = socket.getPeerCertificate();
  return { presented: subject !== undefined, authorized: socket.authorized, alternativeNames: subjectaltname };
}
