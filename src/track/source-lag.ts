import type { Instant, Millis } from '../kernel/time.ts';
import type { ServiceState } from '../model/service.ts';

const online = 'Online';

/** Longest time by which the copies of the nodes differ: two refreshes of an informant. */
const longestLag: Millis = 120_000;

/** Last known event of a replica. */
interface KnownEvent {
  readonly source: string;
  readonly eventNs: string;
  /** On the monotonic clock; undefined while the source is not behind. */
  readonly laggingSince: number | undefined;
}

/** An event of another source node, and whether it replaces the last known one. */
export interface LaggingEvent {
  /** Time since which the source reports older events, on the monotonic clock. */
  readonly laggingSince: number;
  /**
   * The source reports older events for longer than copies differ: the clock behind the last event was ahead. A status other
   * than `Online` is used then, because an outage would not be noticed for as long as the clock was ahead. `Online`
   * is not: the copy can be frozen.
   */
  readonly isUsed: boolean;
}

/** Returns how to handle an event of another source node that is older than the last known one; undefined for other events. */
export function laggingEvent(
  known: KnownEvent,
  state: Pick<ServiceState, 'status' | 'timestampNs'>,
  { source, now }: { readonly source: string; readonly now: Instant },
): LaggingEvent | undefined {
  const isOther = known.source !== '' && known.source !== source;
  if (!isOther || !isOlder(state.timestampNs, known.eventNs)) return undefined;
  const { laggingSince = now.mono } = known;
  return { laggingSince, isUsed: state.status !== online && now.mono - laggingSince >= longestLag };
}

/** Compares decimal texts with more digits than a double holds. */
function isOlder(one: string, other: string): boolean {
  if (!/^\d+$/.test(one) || !/^\d+$/.test(other)) return false;
  return BigInt(one) < BigInt(other);
}
