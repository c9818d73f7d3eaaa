import type { Millis } from '../kernel/time.ts';
import { type ExitCode, exitCode } from './command.ts';
import type { CliPorts } from './ports.ts';
import type { StopRequest } from './stop-request.ts';

/** Short enough for a person who waits for it, long enough to cost nothing. */
const rest: Millis = 10_000;

/**
 * Starts again and again what does not start, until it is asked to stop. A container that ends makes its whole pod
 * unready, and beside a database that is worse than not watching.
 */
export async function keepTrying(
  start: () => Promise<ExitCode>,
  { clock, stderr }: Pick<CliPorts, 'clock' | 'stderr'>,
  { asked }: StopRequest,
): Promise<ExitCode> {
  for (;;) {
    const exit = await start().catch((error: unknown) => {
      stderr.write(`graphwarden: unexpected error: ${error instanceof Error ? error.stack : String(error)}\n`);
      return exitCode.failed;
    });
    if (asked.aborted) return exit;
    stderr.write(`graphwarden: tries again in ${rest / 1000} s\n`);
    await clock.sleep(rest, asked);
    if (asked.aborted) return exitCode.ok;
  }
}
