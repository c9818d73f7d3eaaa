import { CommanderError } from 'commander';
import { describe, expect, it } from 'vitest';
import type { CommandInput, NamedCommand } from '../../src/cli/command.ts';
import { createProgram, parserExitCode } from '../../src/cli/create-program.ts';
import { testPorts } from '../support/cli-ports.ts';
import { loadedCommands as allCommands } from '../support/loaded-commands.ts';

function command(name: string, parts: Partial<NamedCommand> = {}): NamedCommand {
  return { name, about: `about ${name}`, flags: [], examples: [name], run, ...parts };
}

function run(): Promise<never> {
  return Promise.reject(new Error('only parsed here'));
}

const commands = [
  command('run', {
    flags: [
      { name: 'config', value: 'FILE', about: 'the file' },
      { name: 'while-paused', about: 'even so' },
      { name: 'json', about: 'as JSON' },
    ],
  }),
  command('check-config', { arguments: ['<FILE>'] }),
  command('init', { arguments: ['[FILE]'] }),
  command('abort', { arguments: ['<NODE>', '<ID>'] }),
  command('demo', { flags: [{ name: 'scenario', value: 'NAME', about: 'which', values: ['calm', 'flapping'] }] }),
  command('silence add', { arguments: ['<MATCHER...>'] }),
  command('silence end', { arguments: ['<ID>'] }),
];

interface Parsed {
  readonly name?: string;
  readonly given?: CommandInput;
  readonly exit: number;
  readonly out: string;
  readonly error: string;
}

async function parse(args: readonly string[], known: readonly NamedCommand[] = commands): Promise<Parsed> {
  const ports = testPorts();
  let found: Pick<Parsed, 'name' | 'given'> = {};
  const program = createProgram(known, args, ports, async ({ name }, given) => {
    found = { name, given };
  });
  const exit = await program.parseAsync([...args], { from: 'user' }).then(
    () => 0,
    (error: unknown) => {
      if (error instanceof CommanderError) return parserExitCode(error);
      throw error;
    },
  );
  return { ...found, exit, out: ports.stdout.text(), error: ports.stderr.text() };
}

describe('parsed command line', () => {
  it.each<[readonly string[], string, CommandInput['flags'], readonly string[]]>([
    [['run'], 'run', {}, []],
    [['run', '--config', 'a.yml'], 'run', { config: 'a.yml' }, []],
    [
      ['run', '--config=a.yml', '--json', '--while-paused'],
      'run',
      { config: 'a.yml', json: '', 'while-paused': '' },
      [],
    ],
    [['run', '--config', 'a', '--config', 'b'], 'run', { config: 'b' }, []],
    [['run', '--config=--odd-name'], 'run', { config: '--odd-name' }, []],
    [['check-config', 'a.yml'], 'check-config', {}, ['a.yml']],
    [['check-config', '--', '--odd-name'], 'check-config', {}, ['--odd-name']],
    [['init'], 'init', {}, []],
    [['abort', 'n1', '7'], 'abort', {}, ['n1', '7']],
    [['demo', '--scenario', 'calm'], 'demo', { scenario: 'calm' }, []],
    [['silence', 'add', 'a=1', 'b=2'], 'silence add', {}, ['a=1', 'b=2']],
  ])('%j', async (args, name, flags, positional) => {
    expect(await parse(args)).toEqual({ name, given: { flags, arguments: positional }, exit: 0, out: '', error: '' });
  });
});

describe('usage error', () => {
  it.each([
    [['chek-config'], "unknown command 'chek-config'\n(Did you mean check-config?)"],
    [['frobnicate'], "unknown command 'frobnicate'"],
    [['run', '--confg', 'x'], "unknown option '--confg'\n(Did you mean --config?)"],
    [['run', '-x'], "unknown option '-x'"],
    [['run', '--config'], "option '--config <FILE>' argument missing"],
    [['run', '--config='], 'It is empty.'],
    [['run', '--config', '--json'], 'Write --config=VALUE if it starts with a dash.'],
    [['run', '--json=yes'], "unknown option '--json=yes'"],
    [['run', 'a.yml'], "too many arguments for 'run'"],
    [['run', '--__proto__', 'x'], "unknown option '--__proto__'"],
    [['demo', '--scenario', 'calmer'], 'Allowed choices are calm, flapping.'],
    [['check-config'], "missing required argument 'FILE'"],
    [['check-config', 'a', 'b'], "too many arguments for 'check-config'"],
    [['abort', 'n1'], "missing required argument 'ID'"],
    [['silence'], 'Usage: graphwarden silence'],
    [['silence', 'ad'], "unknown command 'ad'\n(Did you mean add?)"],
    [['silence add'], "unknown command 'silence add'"],
    [['silence', 'add'], "missing required argument 'MATCHER'"],
  ])('%j', async (args, message) => {
    const { name, exit, out, error } = await parse(args);
    expect([name, exit, out]).toEqual([undefined, 2, '']);
    expect(error).toContain(message);
  });

  it('starts with the name of the program and ends with the help to read', async () => {
    expect((await parse(['init', '--force'])).error).toBe(
      "graphwarden: unknown option '--force'\nExample: graphwarden init\nRun 'graphwarden init --help' for usage.\n",
    );
  });
});

describe('help', () => {
  it('lists each command, also those of groups', async () => {
    const { exit, out, error } = await parse(['--help'], allCommands);
    expect([exit, error]).toEqual([0, '']);
    for (const { name } of allCommands) expect(out).toMatch(new RegExp(`^  ${name} `, 'm'));
    expect(out).toContain('--version');
  });

  it('lists the commands of a group', async () => {
    const { out } = await parse(['guard', '--help'], allCommands);
    expect(out).toMatch(/^ {2}reset-breaker /m);
  });

  it.each(allCommands.map(({ name }) => name))('of %s shows usage, options and examples', async (name) => {
    const known = allCommands.find((one) => one.name === name);
    const { exit, out } = await parse([...name.split(' '), '--help'], allCommands);
    expect(exit).toBe(0);
    expect(out).toContain(`Usage: graphwarden ${name}`);
    for (const flag of known?.flags ?? []) expect(out).toContain(`--${flag.name}`);
    for (const example of known?.examples ?? []) expect(out).toContain(`$ graphwarden ${example}`);
  });

  it('fits a terminal', async () => {
    const pages = await Promise.all(allCommands.map(({ name }) => parse([...name.split(' '), '--help'], allCommands)));
    const lines = pages.flatMap(({ out }) => out.split('\n'));
    expect(lines.filter((line) => line.length > 120)).toEqual([]);
  });
});
