import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadedCommands as commands } from '../../support/loaded-commands.ts';

const names = commands.map(({ name }) => name);

describe('list of commands', () => {
  it('has each file of the folder, named after its command', () => {
    const files = readdirSync('src/cli/commands').filter((file) => file !== 'all.ts');
    expect(names.map((name) => `${name.replaceAll(' ', '-')}.ts`).toSorted()).toEqual(files.toSorted());
  });

  it('loads each command from the file with its name', () => {
    const list = readFileSync('src/cli/commands/all.ts', 'utf8');
    const entries = [...list.matchAll(/name: '([^']+)'[^{}]*?import\('\.\/([^']+)\.ts'\)/g)];
    expect(entries.map(([, name = '', file]) => [name.replaceAll(' ', '-'), file])).toEqual(
      names.map((name) => Array.from({ length: 2 }, () => name.replaceAll(' ', '-'))),
    );
  });

  it('begins with the default command', () => {
    expect(names[0]).toBe('run');
  });

  it('has no duplicates, and no command that is also a group', () => {
    expect(new Set(names).size).toBe(names.length);
    const groups = new Set(names.filter((name) => name.includes(' ')).map((name) => name.split(' ')[0]));
    expect(names.filter((name) => groups.has(name))).toEqual([]);
  });
});

describe.each(commands.map((command) => [command.name, command] as const))('declaration of %s', (name, command) => {
  it('has examples of the command with known options', () => {
    expect(command.examples).not.toEqual([]);
    const options = new Set(command.flags.map((flag) => `--${flag.name}`));
    for (const example of command.examples) {
      expect(`${example} `.startsWith(`${name} `)).toBe(true);
      for (const [option] of example.matchAll(/--[a-z-]+/g)) expect([...options]).toContain(option);
    }
  });

  it('has a one-line description in lower case without a full stop', () => {
    expect(command.about).toMatch(/^[a-z][^\n]*[^.\n]$/);
    expect(command.about.length).toBeLessThanOrEqual(90);
  });
});
