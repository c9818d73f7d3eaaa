import type { CliPorts } from './ports.ts';

/** What the process reports to who started it. */
export const exitCode = { ok: 0, failed: 1, usage: 2 } as const;

/** One of {@link exitCode}. */
export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

/** An option of a command. */
export interface Flag {
  /** Without its dashes. */
  readonly name: string;
  /** What stands for its value in the usage; absent: the flag takes none. */
  readonly value?: string;
  readonly about: string;
}

/** An argument that is told by its place. */
interface Argument {
  /** One word, or several where each stands for an argument of its own. */
  readonly name: string;
  /** All of them. */
  readonly required: boolean;
  /** The last may be given several times. */
  readonly repeated?: true;
}

/** What a user asked of a command, already checked against its declaration. */
export interface Given {
  /** Values by flag name; a flag without a value is `''`. */
  readonly flags: Readonly<Record<string, string | undefined>>;
  readonly arguments: readonly string[];
}

/** One subcommand: usage and help derive from this. */
export interface Command {
  /** One word, or two where several commands do something with the same thing. */
  readonly name: string;
  /** One line for the list of commands. */
  readonly about: string;
  readonly flags: readonly Flag[];
  readonly argument?: Argument;
  /** Further sentences of its own help page. */
  readonly details?: string;
  run(given: Given, ports: CliPorts): Promise<ExitCode>;
}

/** A use that its declaration does not foresee, found while running: the usage is shown, exit code 2. */
export class WrongUse extends Error {}
