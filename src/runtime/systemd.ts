import { execFile } from 'node:child_process';
import { fstatSync } from 'node:fs';
import { promisify } from 'node:util';
import { err, ok } from '../kernel/result.ts';
import type { SupervisedState, Supervisor } from '../kernel/system.ts';
import type { Millis } from '../kernel/time.ts';

/** Environment variables of the process. */
type Environment = Readonly<Record<string, string | undefined>>;

/** Runs a program; rejects if it fails. */
export type RunProgram = (program: string, args: readonly string[]) => Promise<unknown>;

/** Timeout of the program that reports a state. */
const reportTimeout: Millis = 5_000;

const execute = promisify(execFile);
const runProgram: RunProgram = (program, args) => execute(program, [...args], { timeout: reportTimeout });

/** Variable of `sd_notify(3)` for each state. */
const variables: Readonly<Record<SupervisedState, string>> = {
  ready: 'READY=1',
  stopping: 'STOPPING=1',
  alive: 'WATCHDOG=1',
};

/**
 * Returns the supervisor of systemd, or undefined if systemd did not start the process with `Type=notify`. Reports
 * are sent by the program `systemd-notify`, because Node has no datagram sockets of the Unix domain.
 */
export function findSupervisor(environment: Environment, run = runProgram): Supervisor | undefined {
  if ((environment.NOTIFY_SOCKET ?? '') === '') return undefined;
  return {
    watchdogTimeout: watchdogTimeout(environment),
    notify: async ({ state, status }) => {
      const states = state === undefined ? [] : [variables[state]];
      const texts = status === undefined ? [] : [`STATUS=${status.replaceAll('\n', ' ')}`];
      try {
        await run('systemd-notify', [...states, ...texts]);
        return ok(undefined);
      } catch {
        return err('cannot run systemd-notify, or systemd rejected its message');
      }
    },
  };
}

/** Timeout of the watchdog; undefined if there is none, or if it is for another process. */
function watchdogTimeout({ WATCHDOG_USEC = '', WATCHDOG_PID = '' }: Environment): Millis | undefined {
  const isForThisProcess = WATCHDOG_PID === '' || WATCHDOG_PID === String(process.pid);
  return isForThisProcess && /^[1-9]\d{3,14}$/.test(WATCHDOG_USEC) ? Number(WATCHDOG_USEC) / 1000 : undefined;
}

/**
 * Whether a file descriptor is a stream of the journal of systemd, which takes the level of a line from its prefix `<N>`.
 * `JOURNAL_STREAM` is the device and the inode of that stream.
 */
export function isJournalStream({ JOURNAL_STREAM }: Environment, descriptor: number): boolean {
  if (JOURNAL_STREAM === undefined) return false;
  try {
    const { dev, ino } = fstatSync(descriptor, { bigint: true });
    return JOURNAL_STREAM === `${dev}:${ino}`;
  } catch {
    return false;
  }
}
