import type { Outcome } from '../../../src/guard/decision/decision.ts';
import type { StoredGuardState, StoredIntent } from '../../../src/guard/decision/input.ts';
import type { Intent } from '../../../src/guard/decision/output.ts';
import type { GuardState } from '../../../src/guard/decision/state.ts';

/** Stored state of a guard, which outlives its process. */
export class InMemoryGuardStore {
  isPaused = false;
  readonly abortsWithoutRelief = new Map<string, number>();
  readonly #intents = new Map<string, StoredIntent>();
  readonly #breakers = new Set<string>();
  readonly #breakerResets = new Map<string, number>();
  #offsets: StoredGuardState['offsets'] = {};

  addIntent({ key, node, id, startTime, graph, query, policy, at }: Intent): void {
    this.#intents.set(key, { node, id, startTime, graph, query, policy, at, outcome: undefined });
  }

  setOutcome(key: string, outcome: Outcome): void {
    const intent = this.#intents.get(key);
    if (intent !== undefined) this.#intents.set(key, { ...intent, outcome });
  }

  setBreaker(key: string, isOpen: boolean, at: number): void {
    if (isOpen) this.#breakers.add(key);
    else {
      this.#breakers.delete(key);
      this.#breakerResets.set(key, at);
    }
  }

  saveOffsets(views: GuardState['views']): void {
    const known = [...views].flatMap(
      ([
        node,
        {
          offset: { offset, anchor },
        },
      ]) => (offset === undefined ? [] : [[node, { offset, ...(anchor !== undefined && { anchor }) }] as const]),
    );
    this.#offsets = Object.fromEntries(known);
  }

  load(): StoredGuardState {
    return {
      intents: [...this.#intents.values()],
      breakers: [...this.#breakers],
      breakerResets: Object.fromEntries(this.#breakerResets),
      abortsWithoutRelief: Object.fromEntries(this.abortsWithoutRelief),
      offsets: this.#offsets,
      isPaused: this.isPaused,
    };
  }
}
