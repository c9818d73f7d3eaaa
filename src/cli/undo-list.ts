import type { Logger } from '../kernel/logger.ts';

/** The steps of a start, undone in reverse order. */
export interface UndoList {
  /** Says how to undo what has just been done. */
  add(step: string, undo: () => Promise<void> | void): void;
  /** Undoes everything, latest first; a step that fails is logged and does not keep the others from their turn. */
  run(log: Logger): Promise<boolean>;
}

/** An empty list. */
export function undoList(): UndoList {
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
          log.error('a step of stopping failed', { step, error });
        }
      }
      return clean;
    },
  };
}
