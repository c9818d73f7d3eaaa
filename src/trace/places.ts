import type { Digest } from '../kernel/digest.ts';
import type { SpanPlace } from '../model/span.ts';
import type { ReplicaId } from '../model/transition.ts';

/**
 * Where the span of a query of the database is found: the SHA-256 of `query`, cluster and request id, with line feeds
 * between, its first 32 digits the trace and the next 16 the span. Whoever knows the id can work it out.
 */
export function queryTrace(cluster: string, id: string, digest: Digest): SpanPlace {
  return placeOf(['query', cluster, id], digest);
}

/** Where the span of an incident is found: of one service instance, from when it was not online any more. */
export function incidentTrace(
  { cluster, service, partition, replica }: ReplicaId,
  start: number,
  digest: Digest,
): SpanPlace {
  return placeOf(['incident', cluster, service, partition, replica, String(start)], digest);
}

function placeOf(parts: readonly string[], digest: Digest): SpanPlace {
  const hash = digest.sha256(parts.join('\n'));
  return { traceId: hash.slice(0, 32), spanId: hash.slice(32, 48) };
}
