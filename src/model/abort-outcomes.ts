import type { AbortOutcome } from './guard.ts';

/** All ways in which an abort can end. */
export const abortOutcomes = [
  'confirmed',
  'still_running',
  'unknown',
  'finished_first',
  'not_aborted',
  'vanished',
  'refused',
  'withdrawn',
] as const satisfies readonly AbortOutcome[];

/** Those that say that the query is gone; after all others it may still run. */
export const goneOutcomes: readonly AbortOutcome[] = ['confirmed', 'finished_first', 'vanished'];
