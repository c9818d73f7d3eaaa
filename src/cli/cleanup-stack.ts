import type { Logger } from '../kernel/logger.ts';

/** Start steps, undone in reverse order. */
export interface CleanupStack {
  /** Registers how to undo a step. */
  add(step: string, undo: () => Promise<void> | void): void;
  /** Undoes all steps, latest first; a failure is logged, and the other steps are still undone. */
  run(log: Logger): Promise<boolean>;
}

/** Creates an empty stack. */
export function createCleanupStack(): CleanupStack {
  const steps: { readonly step: string; readonly undo: () => Promise<void> | void }[] = [];
  return {
    add: (step, undo) => void steps.push({ step, undo }),
    run: async (log) => {
      let clean = true;
      for (const { step, undo } of steps.splice(0).toReversed()) {
        try {
          await undo();
        } catch (error) {
          clean = false;
          log.error('shutdown step failed', { step, error });
        }
      }
      return clean;
    },
  };
}
