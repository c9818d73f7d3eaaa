import type { Digest, Random } from '../kernel/system.ts';
import type { Instant } from '../kernel/time.ts';
import type { Alert } from '../model/alert.ts';
import type { SpanReference } from '../model/span.ts';
import type { ReplicaId } from '../model/transition.ts';

/**
 * Returns the span context of a database query: the SHA-256 of `query`, cluster and request id, joined by line feeds. The
 * first 32 digits are the trace id, the next 16 the span id. Any client that knows the request id can compute it.
 */
export function querySpanContext(cluster: string, id: string, digest: Digest): SpanReference {
  return spanContextFrom(['query', cluster, id], digest);
}

/** Returns the span context of an outage of a service instance, from its start in ms since the epoch. */
export function outageSpanContext(
  { cluster, service, partition, replica }: ReplicaId,
  start: number,
  digest: Digest,
): SpanReference {
  return spanContextFrom(['outage', cluster, service, partition, replica, String(start)], digest);
}

/** Returns the span context of an incident: of the key and the number under which receivers know it. */
export function alertIncidentContext(
  { key, episode }: { readonly key: string; readonly episode: number },
  digest: Digest,
): SpanReference {
  return spanContextFrom(['incident', key, String(episode)], digest);
}

/** Returns the span id of an alert within the trace of its incident. */
export function alertSpanId({ key, episode, rule }: Pick<Alert, 'key' | 'episode' | 'rule'>, digest: Digest): string {
  return spanContextFrom(['alert', key, String(episode), rule], digest).spanId;
}

function spanContextFrom(parts: readonly string[], digest: Digest): SpanReference {
  const hash = digest.sha256(parts.join('\n'));
  return { traceId: hash.slice(0, 32), spanId: hash.slice(32, 48) };
}

/** Hexadecimal digits of one random number, which has 52 bits. */
const digitsPerDraw = 8;

/** Returns the span context of the root of a new trace. */
export function newRootContext(random: Random): SpanReference {
  return { traceId: randomHexDigits(32, random), spanId: randomHexDigits(16, random) };
}

/** Returns the span context of one more span of a trace. */
export function newChildContext({ traceId }: SpanReference, random: Random): SpanReference {
  return { traceId, spanId: randomHexDigits(16, random) };
}

/**
 * Returns an instant of a trace in milliseconds since the epoch, counted from the start of the trace by the monotonic
 * clock: a child stays inside its parent if the wall clock is set.
 */
export function wallTimeOf({ wall, mono }: Instant, at: Instant): number {
  return wall + (at.mono - mono);
}

/** Returns random digits. All zeros are not a valid id, so the last digit is then 1. */
function randomHexDigits(count: number, random: Random): string {
  let text = '';
  while (text.length < count) {
    text += Math.floor(random.next() * 16 ** digitsPerDraw)
      .toString(16)
      .padStart(digitsPerDraw, '0');
  }
  return /^0+$/.test(text) ? `${text.slice(1)}1` : text;
}
