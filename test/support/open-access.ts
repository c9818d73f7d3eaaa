import type { ListenerCounters, RequestHandler } from '../../src/kernel/listener.ts';

/** Access settings with which every client may read and none may run operator actions. */
export const openAccess = {
  operators: [],
  readers: [],
  scrapers: [],
  web: { trustedProxies: [], userHeader: 'X-Forwarded-User', allowedHosts: [], maxConnections: 512 },
} as const;

/** Listener counters without effect. */
export const noCounters: ListenerCounters = {
  connectionClosed: () => undefined,
  authenticationFailed: () => undefined,
};

/** Settings without trusted proxies, as in {@link openAccess}. */
export const noProxies = { addresses: [], userHeader: openAccess.web.userHeader } as const;

/** Returns a handler whose requests all come from a local operator. */
export function forOperator(handler: RequestHandler): RequestHandler {
  return (request) => handler({ ...request, operator: 'local' });
}
