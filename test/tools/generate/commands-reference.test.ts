import { describe, expect, it } from 'vitest';
import { commandsReference } from '../../../tools/generate/commands-reference.ts';
import { loadedCommands as commands } from '../../support/loaded-commands.ts';

const { path, text } = commandsReference();

describe('reference of commands', () => {
  it('is docs/commands.md', () => {
    expect(path).toBe('docs/commands.md');
  });

  it.each(commands.map((command) => [command.name, command] as const))('has a section for %s', (name, command) => {
    const section = text.split(/^## /m).find((part) => part.startsWith(`${name}\n`)) ?? expect.fail('no section');
    for (const flag of command.flags) expect(section).toContain(`\`--${flag.name}`);
    expect(section).toContain(`graphwarden ${name}`);
  });

  it('links each command of the table to its section', () => {
    for (const [, anchor] of text.matchAll(/\]\(#([a-z-]+)\)/g)) {
      expect(commands.map(({ name }) => name.replaceAll(' ', '-'))).toContain(anchor);
    }
  });
});
