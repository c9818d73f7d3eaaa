import type { Outcome } from '../../src/guard/decision/decision.ts';
import type { Kept, KeptIntent } from '../../src/guard/decision/kept.ts';
import type { Intent } from '../../src/guard/decision/output.ts';
import type { GuardState } from '../../src/guard/decision/state.ts';

/** What of a guard outlives its process. */
export class Store {
  isPaused = false;
  readonly reliefless = new Map<string, number>();
  readonly #intents = new Map<string, KeptIntent>();
  readonly #breakers = new Set<string>();
  #offsets: Kept['offsets'] = {};

  intends({ key, node, id, startTime, graph, query, policy, at }: Intent): void {
    this.#intents.set(key, { node, id, startTime, graph, query, policy, at, outcome: undefined });
  }

  ended(key: string, outcome: Outcome): void {
    const intent = this.#intents.get(key);
    if (intent !== undefined) this.#intents.set(key, { ...intent, outcome });
  }

  breaker(key: string, isOpen: boolean): void {
    if (isOpen) this.#breakers.add(key);
    else this.#breakers.delete(key);
  }

  keepOffsets(views: GuardState['views']): void {
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

  kept(): Kept {
    return {
      intents: [...this.#intents.values()],
      breakers: [...this.#breakers],
      reliefless: Object.fromEntries(this.reliefless),
      offsets: this.#offsets,
      isPaused: this.isPaused,
    };
  }
}
