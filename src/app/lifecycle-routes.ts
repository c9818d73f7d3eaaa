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
      about: 'Whether the process serves and its beats go on.',
      gives: { type: 'text/plain' },
      problems: { 503: 'Beats are overdue for long: restart the process.' },
      handle: async () =>
        site.isStuck() ? problem(503, 'Reads are long overdue; the process is stuck.') : plain('healthy'),
    },
    {
      method: 'GET',
      path: '/-/ready',
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
  const refusal = whyNotOperator(request, site.config().operators);
  if (refusal !== undefined) return problem(403, refusal);
  const outcome = await site.ports.reload();
  if (outcome.ok) return json({ reloaded: true });
  return problem(422, 'The configuration was not changed.', { problems: outcome.error });
}

/** Why the sender of a request may not act; undefined where it may. */
export function whyNotOperator(request: IncomingRequest, operators: readonly string[]): string | undefined {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return 'Another site may not act here.';
  if (request.user !== undefined) {
    return operators.includes(request.user) ? undefined : `'${request.user}' is not listed in operators.`;
  }
  return isLoopback(request.remoteAddress)
    ? undefined
    : 'Without authentication only a caller on this machine may do this.';
}

function isLoopback(address: string): boolean {
  return address === '::1' || /^(?:::ffff:)?127\.\d+\.\d+\.\d+$/.test(address);
}
