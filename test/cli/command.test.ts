import { expect, it } from 'vitest';
import { type Command, exitCode, loadCommand } from '../../src/cli/command.ts';

it('command › loads a command with its row in the list', async () => {
  const command: Command = { flags: [], examples: ['time'], run: async () => exitCode.ok };
  const named = await loadCommand({ name: 'time', about: 'print the time', load: async () => command });
  expect(named).toEqual({ name: 'time', about: 'print the time', ...command });
});
