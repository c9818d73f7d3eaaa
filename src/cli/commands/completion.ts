import { type Command, exitCode, UsageError } from '../command.ts';
import { completionScript, shells } from '../completion-scripts.ts';

/** Prints a completion script for a shell. */
export const completion: Command = {
  name: 'completion',
  about: 'print the completion script of a shell',
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
    stdout.write(completionScript(shell, commands));
    return exitCode.ok;
  },
};
