/** Recipients that may accept the notification later. `chance` is uniform in [0, 1); `startedAt` is monotonic. */
interface DeferredRecipients {
  readonly recipients: readonly string[];
  readonly chance: number;
  readonly startedAt: number;
}

/** Outcome of a request for one of its incidents. */
export type AlertOutcome =
  | { readonly kind: 'accepted'; readonly reference?: string; readonly deferred?: DeferredRecipients }
  /** The receiver may have accepted it or not. `chance` is uniform in [0, 1); `startedAt` is monotonic. */
  | { readonly kind: 'lost'; readonly answered: boolean; readonly chance: number; readonly startedAt: number }
  /** The receiver did not accept it, for a reason that is not in the alert. */
  | { readonly kind: 'not_accepted' }
  /** The receiver did not accept it, for a reason that an operator must fix. */
  | { readonly kind: 'rejected'; readonly startedAt: number }
  /** The receiver rejected another alert of the same request and may have accepted this one. */
  | { readonly kind: 'other_rejected' }
  /** The receiver rejected it, or another alert of a request with `batchSize` alerts. */
  | { readonly kind: 'refused'; readonly batchSize: number };
