import type { ListenerCounters, RequestHandler } from '../../src/kernel/listener.ts';

/** The part of a configuration that lets every client read and none act. */
export const openAccess = {
  operators: [],
  readers: [],
  scrapers: [],
  web: { trustedProxies: [], userHeader: 'X-Forwarded-User', allowedHosts: [], maxConnections: 512 },
} as const;

/** Counters that count nothing. */
export const noCounters: ListenerCounters = {
  connectionClosed: () => undefined,
  authenticationFailed: () => undefined,
};

/** Trusted proxies of the same configuration. */
export const noProxies = { addresses: [], userHeader: openAccess.web.userHeader } as const;

/** Returns a handler whose requests all come from a local operator. */
export function forOperator(handler: RequestHandler): RequestHandler {
  return (request) => handler({ ...request, operator: 'local' });
}
