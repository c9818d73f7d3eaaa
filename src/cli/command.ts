import type { CliPorts } from './ports.ts';

/** Exit codes of the process. `warning` and `critical` are states that `status` reports. */
export const exitCode = { ok: 0, failed: 1, usage: 2, warning: 3, critical: 4 } as const;

/** One of {@link exitCode}. */
export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

/** Option of a command. */
export interface Flag {
  /** Name without dashes. */
  readonly name: string;
  /** Placeholder of the value in the help; absent for an option without a value. FILE and DIR complete to paths. */
  readonly value?: string;
  readonly about: string;
  /** Accepted values; absent if any value is accepted. */
  readonly values?: readonly string[];
}

/** Options and arguments of a call, already checked against the declaration of the command. */
export interface CommandInput {
  /** Values by option name; an option without a value is `''`. */
  readonly flags: Readonly<Record<string, string | undefined>>;
  readonly arguments: readonly string[];
}

/** Command of the program: help, usage, completion and reference derive from this declaration. */
export interface Command {
  readonly flags: readonly Flag[];
  /** Arguments in the order of the call: `<FILE>` required, `[FILE]` optional, `<MATCHER...>` repeatable. */
  readonly arguments?: readonly string[];
  /** Further sentences of the help page. */
  readonly details?: string;
  /** Calls that users can copy, without the name of the program. */
  readonly examples: readonly [string, ...string[]];
  /** Runs the command; `commands` are all commands of the program. */
  run(given: CommandInput, ports: CliPorts, commands: readonly ListedCommand[]): Promise<ExitCode>;
}

/** Row of a command in the list of commands. */
export interface CommandSummary {
  /** One word, or two for a command of a group such as `guard pause`. */
  readonly name: string;
  readonly about: string;
}

/** Command in the list of commands, which loads it when it is called. */
export interface ListedCommand extends CommandSummary {
  readonly load: () => Promise<Command>;
}

/** Loaded command with its row in the list. */
export interface NamedCommand extends CommandSummary, Command {}

/** Loads a command. */
export async function loadCommand({ name, about, load }: ListedCommand): Promise<NamedCommand> {
  return { name, about, ...(await load()) };
}

/** Usage error that a command detects while it runs: the program prints it with a hint and exits with 2. */
export class UsageError extends Error {}
