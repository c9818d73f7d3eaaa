import { type CommandInput, type Flag, UsageError } from './command.ts';
import type { CliPorts } from './ports.ts';

/** Returns the option for the author of `what`. */
export function authorFlag(what: string): Flag {
  const about = `author of the ${what} (default: --user, GRAPHWARDEN_USER, or the user of the shell)`;
  return { name: 'author', value: 'NAME', about };
}

/** Variables with the name of the user, the person behind `sudo` first. */
const userVariables = ['GRAPHWARDEN_USER', 'SUDO_USER', 'USER', 'LOGNAME'] as const;

/** Returns the author of an action. Throws a usage error if neither the options nor the environment name one. */
export function authorOf({ flags }: CommandInput, { environment }: Pick<CliPorts, 'environment'>): string {
  const names = [flags.author, flags.user, ...userVariables.map((name) => environment[name])];
  const author = names.find((name) => name !== undefined && name !== '');
  if (author === undefined) throw new UsageError('required option --author NAME not specified');
  return author;
}
