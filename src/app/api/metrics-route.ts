import { negotiateFormat } from '../../expose/content-negotiation.ts';
import type { MetricsPage } from '../../expose/metrics-page.ts';
import type { IncomingRequest, OutgoingReply } from '../../kernel/listener.ts';
import type { AppPorts } from '../ports/app-ports.ts';
import type { RouteDependencies } from './route-dependencies.ts';
import type { Route } from './routes.ts';

/** Returns the route of `/metrics`. It serves the latest poll results and sends no upstream request. */
export function metricsRoute({ pipeline, ports }: RouteDependencies): Route {
  return {
    method: 'GET',
    path: '/metrics',
    isForScrapers: true,
    about: 'Returns all metrics, as Prometheus text or OpenMetrics. Sends no upstream request.',
    response: { type: 'text/plain' },
    handle: (request) => expositionReply(pipeline.page, request, ports.tail),
  };
}

/** Returns a metrics page in the format and the encoding that the request accepts, followed by `tail`. */
export async function expositionReply(
  page: Pick<MetricsPage, 'body'>,
  request: IncomingRequest,
  tail: AppPorts['tail'],
): Promise<OutgoingReply> {
  const { format, encoding, headers } = negotiateFormat(request.headers);
  const { pieces, release } = await page.body(format, encoding, await tail(format));
  return { status: 200, headers, body: pieces, onSent: release };
}
