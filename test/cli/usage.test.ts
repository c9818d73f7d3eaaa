import { describe, expect, it } from 'vitest';
import { commands } from '../../src/cli/commands.ts';
import { commandHelp, overview, usageLine } from '../../src/cli/usage.ts';

describe('the overview', () => {
  it('lists every command with its sentence, and says which is the default', () => {
    const page = overview(commands);
    for (const { name, about } of commands) expect(page).toMatch(new RegExp(`^  ${name} +${literally(about)}`, 'm'));
    expect(page).toMatch(/^ {2}run .*\(the default\)$/m);
    expect(page).toContain('--version');
  });
});

function literally(text: string): string {
  return text.replace(/[()[\]{}.*+?^$|\\]/g, '\\$&');
}

describe('the page of a command', () => {
  it.each(commands.map((command) => [command.name, command] as const))(
    '%s shows usage and every flag',
    (_, command) => {
      const page = commandHelp(command);
      expect(page).toContain(usageLine(command));
      expect(page).toContain('--help');
      for (const flag of command.flags) expect(page).toContain(`--${flag.name}`);
    },
  );

  it('fits a terminal', () => {
    const lines = [overview(commands), ...commands.map(commandHelp)].join('\n').split('\n');
    expect(lines.filter((line) => line.length > 120)).toEqual([]);
  });
});

const run = () => Promise.reject(new Error('only described here'));

it('writes the usage in one line', () => {
  const about = 'x';
  const flags = [
    { name: 'json', about },
    { name: 'url', value: 'URL', about },
  ];
  expect(usageLine({ name: 'a', about, flags, run })).toBe('Usage: graphwarden a [--json] [--url URL]');
  const argument = { name: 'FILE', required: true };
  expect(usageLine({ name: 'a', about, flags: [], argument, run })).toBe('Usage: graphwarden a FILE');
  expect(usageLine({ name: 'a', about, flags: [], argument: { ...argument, required: false }, run })).toBe(
    'Usage: graphwarden a [FILE]',
  );
  expect(usageLine({ name: 'a b', about, flags: [], argument: { ...argument, repeated: true }, run })).toBe(
    'Usage: graphwarden a b FILE...',
  );
});

it('does not list more options in it than a line holds', () => {
  const flags = Array.from({ length: 20 }, (_, at) => ({ name: `option-${at}`, about: 'x' }));
  expect(usageLine({ name: 'a', about: 'x', flags, run })).toBe('Usage: graphwarden a [OPTIONS]');
});
