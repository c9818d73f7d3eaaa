import { type Command, exitCode, loadCommand, UsageError } from '../command.ts';
import { completionScript, shells } from '../completion-scripts.ts';

/** Prints a completion script for a shell. */
export const completion: Command = {
  flags: [],
  arguments: [`<${shells.join('|')}>`],
  details:
    'bash: add `source <(graphwarden completion bash)` to ~/.bashrc.\n' +
    'zsh:  write the script to a file _graphwarden in a directory of $fpath.\n' +
    'fish: write the script to ~/.config/fish/completions/graphwarden.fish.',
  examples: ['completion bash > /etc/bash_completion.d/graphwarden'],
  run: async ({ arguments: [name = ''] }, { stdout }, commands) => {
    const shell = shells.find((known) => known === name);
    if (shell === undefined) throw new UsageError(`unknown shell '${name}': one of ${shells.join(', ')}`);
    stdout.write(completionScript(shell, await Promise.all(commands.map(loadCommand))));
    return exitCode.ok;
  },
};
