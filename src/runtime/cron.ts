import { createTask, validate } from 'node-cron';
import type { Cron } from '../kernel/system.ts';

/** A beat that comes late by less than this still counts: a busy minute must not cost a weekly check. */
const tolerance = 60_000;

/** The library reports through the console unless it is told otherwise. */
const silent = { info: quiet, warn: quiet, error: quiet, debug: quiet };

function quiet(): void {}

/** Calls back at the instants of a cron expression, in the machine's time zone. Throws on an invalid expression. */
export const cron: Cron = (expression, run) => {
  if (!validate(expression)) throw new Error(`'${expression}' is not a cron expression`);
  const task = createTask(expression, run, {
    logger: silent,
    missedExecutionTolerance: tolerance,
    suppressMissedWarning: true,
  });
  void task.start();
  return { stop: () => void task.destroy() };
};
