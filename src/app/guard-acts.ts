import { actionChange, type OperatorAct } from '../guard/keeping/action-rows.ts';
import type { Result } from '../kernel/result.ts';
import type { Store } from '../kernel/store.ts';
import type { Random } from '../kernel/system.ts';
import type { Clock } from '../kernel/time.ts';

/** What an operator did, without what is not said or goes without saying. */
type Act = Pick<OperatorAct, 'what' | 'by'> & Partial<OperatorAct>;

/** Writes down what operators do with the guard. */
export class GuardActs {
  readonly #parts: { readonly store: Store; readonly clock: Clock; readonly random: Random };

  constructor(parts: { readonly store: Store; readonly clock: Clock; readonly random: Random }) {
    this.#parts = parts;
  }

  /** Adds an act to the audit; the error is that it could not be stored. */
  note(act: Act): Promise<Result<void, string>> {
    const { store, clock, random } = this.#parts;
    const at = clock.now().wall;
    return store.commit([actionChange({ at, cluster: '', subject: '', reason: '', ...act }, random)]);
  }
}
