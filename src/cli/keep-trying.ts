import type { Millis } from '../kernel/time.ts';
import { type ExitCode, exitCode } from './command.ts';
import type { CliPorts } from './ports.ts';
import type { StopRequest } from './stop-request.ts';

/** Short enough for a person who waits for it, long enough to cost nothing. */
const rest: Millis = 10_000;

/** One start. From when it is made, no signal that is meant for the daemon is lost, nor does one kill. */
export interface Attempt {
  run(): Promise<ExitCode>;
  /** Gives the signals back to the system. */
  release(): void;
}

/**
 * Starts again and again what does not start, until it is asked to stop. A container that ends makes its whole pod
 * unready, and beside a database that is worse than not watching.
 */
export async function keepTrying(
  begin: () => Attempt,
  { clock, stderr }: Pick<CliPorts, 'clock' | 'stderr'>,
  { asked }: StopRequest,
): Promise<ExitCode> {
  for (let attempt = begin(); ; ) {
    const exit = await attempt.run();
    attempt.release();
    if (asked.aborted) return exit;
    attempt = begin();
    stderr.write(`graphwarden: tries again in ${rest / 1000} s\n`);
    await clock.sleep(rest, asked);
    if (!asked.aborted) continue;
    attempt.release();
    return exitCode.ok;
  }
}
