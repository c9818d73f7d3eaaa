import { type ListedCommand, loadCommand, type NamedCommand } from '../../src/cli/command.ts';
import { commands } from '../../src/cli/commands/all.ts';

/** All commands of the program, loaded. */
export const loadedCommands: readonly NamedCommand[] = await Promise.all(commands.map(loadCommand));

/** A command as an entry of the list of commands. */
export function listed({ name, about, ...command }: NamedCommand): ListedCommand {
  return { name, about, load: async () => command };
}
