import { expect, it } from 'vitest';
import type { NamedCommand } from '../../src/cli/command.ts';

/** Tests that every command must pass. */
export function commandSuite(command: NamedCommand): void {
  it('has a name of one or two words', () => {
    expect(command.name).toMatch(/^[a-z]+(?:[ -][a-z]+){0,2}$/);
  });

  it('declares each option once, with a description', () => {
    const names = command.flags.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const { name, about } of command.flags) {
      expect(name).toMatch(/^[a-z]+(?:-[a-z]+)*$/);
      expect(about, name).toMatch(/^\S.*\S$/);
    }
  });

  it('has examples that call it with declared options', () => {
    expect(command.examples.length).toBeGreaterThan(0);
    const names = new Set([...command.flags.map(({ name }) => name), 'help']);
    for (const example of command.examples) {
      expect(example.startsWith(command.name) || command.name === 'run', example).toBe(true);
      const used = [...example.matchAll(/(?:^| )--([a-z-]+)/g)].map(([, name = '']) => name);
      expect(used.filter((name) => !names.has(name))).toEqual([]);
    }
  });
}
