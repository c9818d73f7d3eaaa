import { escapeInvisible, printableLines } from '../kernel/visible-text.ts';
import { type ExitCode, exitCode } from './command.ts';
import type { CliPorts } from './ports.ts';

/** Prints why a command failed and returns the exit code for a failure. */
export function printError(reason: string, { stderr }: Pick<CliPorts, 'stderr'>): ExitCode {
  stderr.write(`graphwarden: ${printableLines(reason)}\n`);
  return exitCode.failed;
}

/** Formats a value as JSON in one line. */
export function formatJsonLine(value: unknown): string {
  return `${escapeInvisible(JSON.stringify(value))}\n`;
}

/** Formats a value as the indented JSON that `--json` prints. */
export function formatJson(value: unknown): string {
  return `${escapeInvisible(JSON.stringify(value, undefined, 2))}\n`;
}
