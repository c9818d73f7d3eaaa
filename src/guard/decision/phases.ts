import type { Decision, Phase } from './decision.ts';

interface Row {
  /** Where it may go from here; elsewhere it never goes. */
  readonly next: readonly Phase[];
  /** What becomes of it when a check fails; undefined where it is too late for checks. */
  readonly doubted: 'cancelled' | 'withdrawn' | undefined;
  /** Lists are looked at for whether the entry is gone. */
  readonly isWatched: boolean;
}

/** The table of states. What is not in `next` cannot happen: no way leads back, so nothing is sent twice. */
export const phases: Readonly<Record<Phase, Row>> = {
  grace: { next: ['fresh'], doubted: 'cancelled', isWatched: false },
  fresh: { next: ['committing', 'grace'], doubted: 'cancelled', isWatched: false },
  committing: { next: ['sent'], doubted: 'withdrawn', isWatched: false },
  sent: { next: ['verifying'], doubted: undefined, isWatched: true },
  verifying: { next: [], doubted: undefined, isWatched: true },
};

/** Takes a decision on to another phase, with what is known by then. */
export function moved(decision: Decision, phase: Phase, news: Partial<Decision> = {}): Decision {
  if (!phases[decision.phase].next.includes(phase))
    throw new Error(`a decision does not go from ${decision.phase} to ${phase}`);
  return { ...decision, ...news, phase };
}

/** Nothing is spent for it yet: it may end without a trace. */
export function isTentative({ phase }: Pick<Decision, 'phase'>): boolean {
  return phases[phase].doubted === 'cancelled';
}
