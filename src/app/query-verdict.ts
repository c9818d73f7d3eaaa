import type { Candidate } from '../guard/candidate.ts';
import { protectionTest } from '../guard/conditions.ts';
import type { Protection } from '../guard/policy.ts';
import type { Instant, Millis } from '../kernel/time.ts';
import type { ListedQuery } from '../model/query.ts';
import type { ClusterGuard } from './cluster-guard.ts';
import { opinionKey } from './guard-eyes.ts';

/** What the guard has to say of one listed query. */
export interface Verdict {
  /** The policy that matches it, or will if nothing but time goes on. */
  readonly policy: string | null;
  /** Since when, or from when on. */
  readonly matchesAt: string | null;
  /** When at the earliest that policy aborts it, or would if it enforced; null where the node is not covered. */
  readonly abortAt: string | null;
  /** Whether it is out of bounds for every policy; null where no policy concerns its cluster. */
  readonly protected: boolean | null;
}

/** Tells of one query of a node. */
export type QueryVerdict = (node: string, query: ListedQuery) => Verdict;

const silence: Omit<Verdict, 'protected'> = { policy: null, matchesAt: null, abortAt: null };

interface Eyes {
  readonly sight: Pick<ClusterGuard, 'opinions' | 'isCovered'>;
  readonly protect: readonly Protection[];
  readonly now: Instant;
}

/** Looks once at all that runs; without eyes there is nothing to say. */
export function verdictOn(eyes: Eyes | undefined): QueryVerdict {
  if (eyes === undefined) return () => ({ ...silence, protected: null });
  const { sight, protect, now } = eyes;
  const opinions = sight.opinions(now);
  const isProtected = protectionTest(protect);
  const instant = (mono: Millis): string => isoOf(now.wall + mono - now.mono);
  return (node, query) => {
    const opinion = query.state === 'running' ? opinions.get(opinionKey(node, query.id)) : undefined;
    const shielded = isProtected(nameOnly(node, query));
    if (opinion === undefined || shielded) return { ...silence, protected: shielded };
    const { match, matchesAt } = opinion;
    return {
      policy: match.policy.name,
      matchesAt: instant(matchesAt),
      abortAt: sight.isCovered(node, now) ? instant(matchesAt + match.policy.grace) : null,
      protected: shielded,
    };
  };
}

/** What servers and clients claim reaches beyond the times that can be written. */
function isoOf(wall: number): string {
  return new Date(Math.min(Math.max(wall, 0), Date.UTC(9999, 11, 31))).toISOString();
}

/** Protection goes by names alone, so it can be told of what no policy may look at, too. */
function nameOnly(node: string, { id, graph, query, kind }: ListedQuery): Candidate {
  const named = { id, graph, query, kind, instance: '', arrivedAt: 0, url: '', startTime: '', elapsed: 0 };
  return { node, sighting: named, at: 0, age: { least: 0, most: 0 } };
}
