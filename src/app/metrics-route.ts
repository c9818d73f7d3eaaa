import { negotiate } from '../expose/negotiate.ts';
import type { Page } from '../expose/page.ts';
import type { IncomingRequest, OutgoingReply } from '../kernel/listener.ts';
import type { AppPorts } from './app.ts';
import type { Route } from './routes.ts';
import type { Site } from './site.ts';

/** `/metrics`: what is known, without asking any node. */
export function metricsRoute({ pipeline, ports }: Site): Route {
  return {
    method: 'GET',
    path: '/metrics',
    about: 'Everything that is known, for Prometheus; asks no node.',
    gives: { type: 'text/plain' },
    handle: (request) => exposition(pipeline.page, request, ports.tail),
  };
}

/** A page in the format and encoding that the request asks for, with `tail` behind it. */
export async function exposition(
  page: Pick<Page, 'body'>,
  request: IncomingRequest,
  tail: AppPorts['tail'],
): Promise<OutgoingReply> {
  const { format, encoding, headers } = negotiate(request.headers);
  const { pieces, release } = await page.body(format, encoding, await tail(format));
  return { status: 200, headers, body: pieces, sent: release };
}
