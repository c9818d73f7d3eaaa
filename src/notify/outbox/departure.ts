import type { Change } from '../../kernel/store.ts';
import type { Choice } from './choosing.ts';
import type { Ending } from './endings.ts';
import type { Folded } from './folded.ts';

/** A letter that is to be sent now. A digest tells of what was missed as of then. */
export interface Departure {
  readonly kind: 'send';
  readonly choice: Choice;
  readonly digestOf?: Folded;
}

/** What to do next: send, or wait until a monotonic time (for ever, where there is none). `soon`: only the receiver's own pace is waited for. */
export type Next = Departure | { readonly kind: 'wait'; readonly until: number | undefined; readonly soon: boolean };

/** What came of an attempt. */
export interface Settlement {
  readonly changes: readonly Change[];
  readonly endings: readonly Ending[];
}
