import { describe, expect, it } from 'vitest';
import { runCli } from '../../src/cli/cli.ts';
import { type Command, type ListedCommand, type NamedCommand, UsageError } from '../../src/cli/command.ts';
import { testPorts } from '../support/cli-ports.ts';
import { listed } from '../support/loaded-commands.ts';

function table(run: Command['run']): readonly ListedCommand[] {
  const group = {
    about: 'pause',
    flags: [],
    run: () => Promise.reject(new Error('not expected to run')),
  };
  const flags = [{ name: 'config', value: 'FILE', about: 'the file' }];
  const commands: readonly NamedCommand[] = [
    { name: 'run', about: 'does it', examples: ['run --config graphwarden.yml'], flags, run },
    { ...group, name: 'init', examples: ['init'], arguments: ['[FILE]'] },
    { ...group, name: 'guard pause', examples: ['guard pause'] },
  ];
  return commands.map(listed);
}

const unused = table(() => Promise.reject(new Error('not expected to run')));

describe('program', () => {
  it.each([[['--config', 'a.yml']], [['run', '--config', 'a.yml']]])(
    'runs the command of %j and returns its exit code',
    async (args) => {
      const ports = testPorts();
      const commands = table(async ({ flags }, { stdout }) => {
        stdout.write(`config is ${flags.config}`);
        return 1;
      });
      expect(await runCli(args, commands, ports)).toBe(1);
      expect(ports.stdout.text()).toBe('config is a.yml');
      expect(ports.stderr.text()).toBe('');
    },
  );

  it('runs the first command without arguments', async () => {
    expect(
      await runCli(
        [],
        table(async () => 0),
        testPorts(),
      ),
    ).toBe(0);
  });

  it.each([
    [0, 1],
    [2, 2],
  ] as const)('turns exit code %i into %i if the output cannot be written', async (code, exit) => {
    const ports = testPorts();
    ports.stdout.breakOff('the disk is full');
    const commands = table(async () => code);
    expect(await runCli([], commands, ports)).toBe(exit);
    expect(ports.stderr.text()).toBe('graphwarden: cannot write to standard output: the disk is full\n');
  });

  it('does not catch a bug', async () => {
    await expect(runCli([], unused, testPorts())).rejects.toThrow('not expected to run');
  });
});

describe('help', () => {
  it.each([
    [['--help'], 'Commands:'],
    [['-h'], 'Commands:'],
    [['help'], 'Commands:'],
    [['--version'], 'graphwarden 1.2.3 (commit abc)\n'],
    [['-V'], 'graphwarden 1.2.3 (commit abc)\n'],
    [['run', '--help'], 'Usage: graphwarden run [options]'],
    [['run', '-h'], 'Usage: graphwarden run [options]'],
    [['help', 'run'], 'Usage: graphwarden run [options]'],
    [['help', 'guard'], 'Usage: graphwarden guard [options] [command]'],
    [['help', 'guard', 'pause'], 'Usage: graphwarden guard pause [options]'],
  ])('%j prints to standard output', async (args, expected) => {
    const ports = testPorts();
    expect(await runCli(args, unused, ports)).toBe(0);
    expect(ports.stdout.text()).toContain(expected);
    expect(ports.stderr.text()).toBe('');
  });

  it.each([
    [['help', 'rnu'], "unknown command 'rnu'\n(Did you mean run?)"],
    [['help', 'init', 'a.yml'], "unknown command 'init a.yml'"],
  ])('%j is a usage error and runs nothing', async (args, message) => {
    const ports = testPorts();
    expect(await runCli(args, unused, ports)).toBe(2);
    expect(ports.stderr.text()).toContain(message);
  });
});

describe('usage error', () => {
  it('is printed to standard error with a hint, and exits with 2', async () => {
    const ports = testPorts();
    expect(await runCli(['--cnofig', 'x'], unused, ports)).toBe(2);
    expect(ports.stdout.text()).toBe('');
    expect(ports.stderr.text()).toBe(
      "graphwarden: unknown option '--cnofig'\n(Did you mean --config?)\nExample: graphwarden run --config graphwarden.yml\nRun 'graphwarden run --help' for usage.\n",
    );
  });

  it('may come from the command itself', async () => {
    const ports = testPorts();
    const commands = table(() => Promise.reject(new UsageError('--nodes must be a number')));
    expect(await runCli([], commands, ports)).toBe(2);
    expect(ports.stderr.text()).toContain('graphwarden: --nodes must be a number\n');
  });

  it('refers to the list of commands for an unknown command', async () => {
    const ports = testPorts();
    expect(await runCli(['rum'], unused, ports)).toBe(2);
    expect(ports.stderr.text()).toContain('(Did you mean run?)');
    expect(ports.stderr.text()).toContain('graphwarden --help');
  });
});
