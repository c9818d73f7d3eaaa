import type { OutgoingReply } from '../../kernel/listener.ts';
import { proxyError, type Reply, restppError, unknownEndpoint } from '../replies.ts';
import {
  emptyBody,
  errorWithSuccess,
  htmlWithSuccess,
  invalidJson,
  invalidUtf8,
  manyEntries,
  truncatedJson,
  wrongContentType,
} from './content.ts';
import type { FaultContext, FaultEffect, FaultName } from './fault.ts';
import {
  conflictingFamilies,
  cpuOver100,
  duplicateFamilies,
  maliciousLabels,
  memoryUnlimited,
  nanValues,
} from './page.ts';
import {
  gzipBomb,
  hangBeforeBody,
  hangBeforeHeaders,
  hangWithinBody,
  hugeBody,
  resetMidBody,
  slowDrip,
} from './transport.ts';

/** Effect of each fault on a response. A closed port and a wrong clock have none, because they are states of a node. */
export const faultEffects: Readonly<Record<FaultName, FaultEffect>> = {
  connection_refused: unchangedReply,
  reset_mid_body: resetMidBody,
  hang_before_headers: hangBeforeHeaders,
  hang_before_body: hangBeforeBody,
  hang_within_body: hangWithinBody,
  slow_drip: slowDrip,
  truncated_json: truncatedJson,
  invalid_json: invalidJson,
  html_200: htmlWithSuccess,
  html_502: () => proxyError(502, 'Bad Gateway'),
  status_401: () => restppError(401, 'REST-10016', "Access Denied because the input token = '' is empty or too short"),
  status_403: () => restppError(403, 'REST-10016', 'Access Denied because the token lacks the privilege READ_DATA'),
  status_404: ({ path }) => unknownEndpoint(path),
  status_408: () =>
    restppError(
      408,
      'REST-3002',
      "The query didn't finish because it exceeded the query timeout threshold (16 seconds).",
    ),
  status_422: () => restppError(422, 'REST-14000', 'The workload queue is full.'),
  status_429: () => statusReply(restppError(429, 'REST-14000', 'Too many requests.'), '7'),
  status_500: () => restppError(500, 'REST-12000', 'No answer from the engine in time.'),
  status_503: () => proxyError(503, 'Service Temporarily Unavailable'),
  status_504: () => proxyError(504, 'Gateway Time-out'),
  error_true_200: errorWithSuccess,
  empty_body: emptyBody,
  wrong_content_type: wrongContentType,
  invalid_utf8: invalidUtf8,
  body_100mb: hugeBody,
  gzip_bomb: gzipBomb,
  redirect_loop: ({ path }) => redirect(path),
  redirect_elsewhere: ({ otherNodeUrl }) => redirect(`${otherNodeUrl}/api/ping`),
  duplicate_families: duplicateFamilies,
  conflicting_families: conflictingFamilies,
  nan_values: nanValues,
  memory_unlimited: memoryUnlimited,
  cpu_over_100: cpuOver100,
  hostile_labels: maliciousLabels,
  entries_100k: manyEntries,
  clock_skew: unchangedReply,
};

/** Faults that reject a request, so that it has no effect. All others only change the response. */
export const rejectingFaults: ReadonlySet<FaultName> = new Set([
  'status_401',
  'status_403',
  'status_404',
  'status_422',
  'status_429',
]);

function unchangedReply({ reply }: FaultContext): OutgoingReply {
  return reply;
}

function statusReply(reply: Reply, retryAfter: string): OutgoingReply {
  return { ...reply, headers: { ...reply.headers, 'retry-after': retryAfter } };
}

function redirect(location: string): OutgoingReply {
  return { status: 302, headers: { location, 'content-type': 'text/html' }, body: '' };
}
