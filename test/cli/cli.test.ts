import { describe, expect, it } from 'vitest';
import { cli } from '../../src/cli/cli.ts';
import { type Command, WrongUse } from '../../src/cli/command.ts';
import { testPorts } from '../support/cli-ports.ts';

function table(run: Command['run']): readonly Command[] {
  return [{ name: 'run', about: 'does it', flags: [{ name: 'config', value: 'FILE', about: 'the file' }], run }];
}

const unused = table(() => Promise.reject(new Error('must not run')));

it('runs the command with what was given, and hands its exit code on', async () => {
  const ports = testPorts();
  const commands = table(async ({ flags }, { stdout }) => {
    stdout.write(`config is ${flags.config}`);
    return 1;
  });
  expect(await cli(['--config', 'a.yml'], commands, ports)).toBe(1);
  expect(ports.stdout.text()).toBe('config is a.yml');
  expect(ports.stderr.text()).toBe('');
});

it.each([
  [0, 1],
  [2, 2],
] as const)('does not call an answer good that could not be written: %i becomes %i', async (code, exit) => {
  const ports = testPorts();
  ports.stdout.breakOff('the disk is full');
  expect(
    await cli(
      [],
      table(async () => code),
      ports,
    ),
  ).toBe(exit);
  expect(ports.stderr.text()).toBe('graphwarden: the answer could not be written: the disk is full\n');
});

describe('answers on standard output', () => {
  it.each([
    ['--help', 'Commands:'],
    ['--version', 'graphwarden 1.2.3 (commit abc)\n'],
  ])('%s', async (flag, expected) => {
    const ports = testPorts();
    expect(await cli([flag], unused, ports)).toBe(0);
    expect(ports.stdout.text()).toContain(expected);
    expect(ports.stderr.text()).toBe('');
  });

  it('the help of a command', async () => {
    const ports = testPorts();
    expect(await cli(['run', '--help'], unused, ports)).toBe(0);
    expect(ports.stdout.text()).toContain('Usage: graphwarden run [--config FILE]');
  });
});

describe('a wrong use', () => {
  it('shows the message and the usage on standard error, and gives 2', async () => {
    const ports = testPorts();
    expect(await cli(['--cnofig', 'x'], unused, ports)).toBe(2);
    expect(ports.stdout.text()).toBe('');
    expect(ports.stderr.text()).toBe(
      "graphwarden: unknown option '--cnofig': did you mean '--config'?\n" +
        'Usage: graphwarden run [--config FILE]\nMore: graphwarden run --help\n',
    );
  });

  it('may be found by the command itself', async () => {
    const ports = testPorts();
    const commands = table(() => Promise.reject(new WrongUse('--nodes wants a number')));
    expect(await cli([], commands, ports)).toBe(2);
    expect(ports.stderr.text()).toContain('graphwarden: --nodes wants a number\nUsage: ');
  });

  it('points to the overview where there is no such command', async () => {
    const ports = testPorts();
    expect(await cli(['rum'], unused, ports)).toBe(2);
    expect(ports.stderr.text()).toContain("did you mean 'run'?");
    expect(ports.stderr.text()).toContain('graphwarden --help');
  });
});

it('lets a bug through', async () => {
  await expect(cli([], unused, testPorts())).rejects.toThrow('must not run');
});
