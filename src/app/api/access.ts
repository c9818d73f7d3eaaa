import type { Config } from '../../config/config.ts';
import type { IncomingRequest, OutgoingReply } from '../../kernel/listener.ts';
import { problemReply } from './reply.ts';
import type { Route } from './routes.ts';

/** Settings that decide who may send requests, and to which host names. */
export type AccessSettings = Pick<Config, 'listen' | 'externalUrl' | 'operators' | 'readers' | 'scrapers' | 'web'> & {
  /** Name of this host. */
  readonly hostname: string;
};

/**
 * Returns the refusal of a request to a path; undefined if its route may answer. `routes` are those of the path. The
 * health checks, which reveal nothing, are open to everyone.
 */
export function accessRefusal(
  request: IncomingRequest,
  routes: readonly Pick<Route, 'isPublic' | 'isForScrapers'>[],
  settings: AccessSettings,
): OutgoingReply | undefined {
  if (routes.some(({ isPublic }) => isPublic === true)) return undefined;
  const name = hostNameOf(request.headers.host);
  if (name === undefined || !isKnownHost(name, settings)) {
    return problemReply(421, 'The host name of the request is not known. Add it to web.allowed_hosts.');
  }
  const refusal = roleRefusal(request.user, routes, settings);
  return refusal === undefined ? undefined : problemReply(403, refusal);
}

/** Host name in lower case without port and brackets; undefined if `Host` is invalid. HTTP/1.0 needs no `Host`. */
function hostNameOf(host = 'localhost'): string | undefined {
  const [, address, name] = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+?)\.?)(?::\d{1,5})?$/.exec(host.toLowerCase()) ?? [];
  return address ?? name;
}

/**
 * A web page whose name resolves to this host (DNS rebinding) sends its own name. A request to an IP address comes from
 * a page of this very address, or from a program.
 */
function isKnownHost(name: string, { listen, externalUrl, web, hostname }: AccessSettings): boolean {
  if (name === 'localhost' || name.includes(':') || /^\d+(?:\.\d+){3}$/.test(name)) return true;
  const external = externalUrl === undefined ? [] : [new URL(externalUrl).hostname];
  const known = [listen.host, hostname, ...external].map((one) => one.toLowerCase());
  return known.includes(name) || web.allowedHosts.some((allowed) => matchesHost(allowed, name));
}

function matchesHost(allowed: string, name: string): boolean {
  return allowed.startsWith('*.') ? name.endsWith(allowed.slice(1)) : name === allowed;
}

/**
 * Returns why a user may not send a request; undefined if it may. Without `readers`, every client that the listener admits may
 * read, except scrapers.
 */
export function roleRefusal(
  user: string | undefined,
  routes: readonly Pick<Route, 'isForScrapers'>[],
  { operators, readers, scrapers }: Pick<Config, 'operators' | 'readers' | 'scrapers'>,
): string | undefined {
  if (user !== undefined && operators.includes(user)) return undefined;
  if (user !== undefined && scrapers.includes(user)) {
    const isForScrapers = routes.some((route) => route.isForScrapers === true);
    return isForScrapers ? undefined : `User '${user}' is listed in scrapers and may request metrics only.`;
  }
  if (readers.length === 0 || (user !== undefined && readers.includes(user))) return undefined;
  return user === undefined ? 'Only authenticated users may read.' : `User '${user}' is not listed in readers.`;
}
