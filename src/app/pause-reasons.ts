import type { Presence } from '../kernel/system.ts';
import type { PauseReason, PauseView } from './guard-control.ts';
import { pauseReasons } from './guard-schemas.ts';

/** What holds the guard still. */
export interface Pause {
  /** What was stored has been read: before that nobody knows whether it is paused. */
  readonly isKnown: boolean;
  /** These are stored, and last until an operator resumes. The number tells one pause from a later one for that reason. */
  readonly held: ReadonlyMap<PauseReason, number>;
  /** What the latest look for the file found. */
  readonly file: Presence;
}

/** Nothing is known yet, neither of what was stored nor of the file: it is paused. */
export const unknownPause: Pause = { isKnown: false, held: new Map(), file: 'unreadable' };

/** Whether it is paused, and why. What is not known counts as lost, and a path that cannot be read as the file. */
export function pauseView({ isKnown, held, file }: Pause): PauseView {
  const all = new Set<PauseReason>(held.keys());
  if (!isKnown) all.add('state_lost');
  if (file !== 'absent') all.add('file');
  return { isPaused: all.size > 0, reasons: pauseReasons.filter((reason) => all.has(reason)) };
}

/** It is paused for one more reason, or once more for the same one. */
export function withReason(pause: Pause, reason: PauseReason, serial: number): Pause {
  return { ...pause, held: new Map(pause.held).set(reason, serial) };
}

/** What was stored is known: it holds, beside what has come in the meantime. */
export function recalled(pause: Pause, stored: readonly PauseReason[]): Pause {
  return { ...pause, isKnown: true, held: new Map([...stored.map((reason) => [reason, 0] as const), ...pause.held]) };
}

/** An operator ends what held at `before`; what has come since then goes on to hold, even for the same reason. */
export function resumed(pause: Pause, before: Pause): Pause {
  return { ...pause, held: new Map([...pause.held].filter(([reason, serial]) => before.held.get(reason) !== serial)) };
}
