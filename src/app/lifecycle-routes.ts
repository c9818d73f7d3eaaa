import type { Config } from '../config/config.ts';
import type { IncomingRequest, OutgoingReply } from '../kernel/listener.ts';
import { json, plain, problem } from './reply.ts';
import type { Route } from './routes.ts';
import type { Site } from './site.ts';

/** What orchestrators and operators ask of the process itself. Never «the database is up». */
export function lifecycleRoutes(site: Site): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/-/healthy',
      isPublic: true,
      about: 'Whether the process serves and its beats go on.',
      gives: { type: 'text/plain' },
      problems: { 503: 'Beats are overdue for long: restart the process.' },
      handle: async () =>
        site.isStuck() ? problem(503, 'Reads are long overdue; the process is stuck.') : plain('healthy'),
    },
    {
      method: 'GET',
      path: '/-/ready',
      isPublic: true,
      about: 'Whether the first round of reads is over, well or badly.',
      gives: { type: 'text/plain' },
      problems: { 503: 'Not yet, or the end has begun.' },
      handle: async () => (site.isReady() ? plain('ready') : problem(503, 'The first round of reads is not over.')),
    },
    {
      method: 'POST',
      path: '/-/reload',
      about: 'Reads the configuration again and swaps it in, or keeps the old one and says why.',
      gives: { type: 'application/json' },
      problems: {
        403: 'Only an operator, or without authentication a local caller, may do this.',
        422: 'The problems.',
      },
      handle: (request) => reload(site, request),
    },
  ];
}

async function reload(site: Site, request: IncomingRequest): Promise<OutgoingReply> {
  const refusal = whyNotOperator(request, site.config());
  if (refusal !== undefined) return problem(403, refusal);
  const outcome = await site.ports.reload();
  if (outcome.ok) return json({ reloaded: true });
  return problem(422, 'The configuration was not changed.', { problems: outcome.error });
}

/** Why the sender of a request may not act; undefined where it may. */
export function whyNotOperator(
  request: IncomingRequest,
  { operators, externalUrl }: Pick<Config, 'operators' | 'externalUrl'>,
): string | undefined {
  if (isFromElsewhere(request.headers, externalUrl)) return 'Another site may not act here.';
  if (request.user !== undefined) {
    return operators.includes(request.user) ? undefined : `'${request.user}' is not listed in operators.`;
  }
  return isLocal(request)
    ? undefined
    : 'Without authentication only a caller on this machine may do this, at localhost and through no proxy.';
}

/** Browsers say where a request comes from; over plain HTTP some of them say nothing but the origin. */
function isFromElsewhere(headers: IncomingRequest['headers'], externalUrl: string | undefined): boolean {
  const { 'sec-fetch-site': site, origin, host } = headers;
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  if (origin === undefined) return false;
  const from = URL.parse(origin);
  const isOurs = from !== null && externalUrl !== undefined && from.origin === new URL(externalUrl).origin;
  return !isOurs && (from === null || from.host !== host?.toLowerCase());
}

/** Whose presence means that a proxy asks for somebody else. */
const proxyHeaders = ['forwarded', 'via', 'x-forwarded-for', 'x-real-ip'];

/** A foreign name for this machine in `Host` is a page that had its own name resolve to loopback. */
function isLocal({ remoteAddress, headers }: IncomingRequest): boolean {
  const { host = 'localhost' } = headers;
  const name = URL.parse(`http://${host}`)?.hostname ?? '';
  const isNamedLocal = name === 'localhost' || isLoopback(name.replace(/^\[|\]$/g, ''));
  return isLoopback(remoteAddress) && isNamedLocal && proxyHeaders.every((header) => headers[header] === undefined);
}

function isLoopback(address: string): boolean {
  return address === '::1' || /^(?:::ffff:)?127\.\d+\.\d+\.\d+$/.test(address);
}
