import type { Instant } from '../kernel/time.ts';
import type { Span, SpanPlace } from '../model/span.ts';
import { since } from './span-place.ts';

/** One attempt to tell a receiver something. */
export interface TracedNotice {
  readonly place: SpanPlace;
  readonly receiver: string;
  readonly letter: 'alerts' | 'digest';
  /** Names of the rules that it is about, none twice. */
  readonly rules: readonly string[];
  readonly started: Instant;
  readonly ended: Instant;
  /** What the answer means. */
  readonly outcome: 'accepted' | 'limited' | 'unavailable' | 'broken' | 'refused';
  /** The cycles that it came from. */
  readonly links: readonly SpanPlace[];
}

/** The trace of an attempt: nothing of what was told is in it. To be kept whatever sampling says: there are few. */
export function noticeSpan({ place, receiver, letter, rules, outcome, links, ...times }: TracedNotice): Span {
  return {
    ...place,
    name: `notify ${receiver}`,
    kind: 'client',
    start: times.started.wall,
    end: since(times.started, times.ended),
    attributes: {
      'graphwarden.receiver': receiver,
      'graphwarden.letter': letter,
      'graphwarden.outcome': outcome,
      ...(rules.length > 0 && { 'graphwarden.rules': rules.join(',') }),
      ...(outcome !== 'accepted' && { 'error.type': outcome }),
    },
    events: [],
    links,
    ...(outcome !== 'accepted' && { error: outcome }),
  };
}
