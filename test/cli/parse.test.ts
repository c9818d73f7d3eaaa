import { describe, expect, it } from 'vitest';
import type { Command } from '../../src/cli/command.ts';
import { parse } from '../../src/cli/parse.ts';

function command(name: string, parts: Partial<Command> = {}): Command {
  return { name, about: name, flags: [], run: () => Promise.reject(new Error('only parsed here')), ...parts };
}

const first = command('run', {
  flags: [
    { name: 'config', value: 'FILE', about: 'the file' },
    { name: 'json', about: 'as JSON' },
  ],
});
const second = command('check-config', { argument: { name: 'FILE', required: true } });
const third = command('init', { argument: { name: 'FILE', required: false } });
const commands = [first, second, third];

describe('what is understood', () => {
  it.each([
    [[], first, {}, []],
    [['run'], first, {}, []],
    [['--config', 'a.yml'], first, { config: 'a.yml' }, []],
    [['run', '--config=a.yml', '--json'], first, { config: 'a.yml', json: '' }, []],
    [['--config', 'a', '--config', 'b'], first, { config: 'b' }, []],
    [['--config=--odd-name'], first, { config: '--odd-name' }, []],
    [['check-config', 'a.yml'], second, {}, ['a.yml']],
    [['check-config', '--', '--odd-name'], second, {}, ['--odd-name']],
    [['init'], third, {}, []],
  ])('%j', (args, expected, flags, positional) => {
    expect(parse(args, commands)).toEqual({
      ok: true,
      value: { ask: 'run', command: expected, given: { flags, arguments: positional } },
    });
  });

  it.each([
    [['--help'], { ask: 'overview' }],
    [['-h'], { ask: 'overview' }],
    [['help'], { ask: 'overview' }],
    [['--version'], { ask: 'version' }],
    [['-V'], { ask: 'version' }],
    [['run', '--help'], { ask: 'help', command: first }],
    [['init', '-h'], { ask: 'help', command: third }],
    [['check-config', '--help'], { ask: 'help', command: second }],
  ])('%j', (args, value) => {
    expect(parse(args, commands)).toEqual({ ok: true, value });
  });
});

describe('what is refused', () => {
  it.each([
    [['chek-config'], "there is no command 'chek-config': did you mean 'check-config'?"],
    [['frobnicate'], "there is no command 'frobnicate'"],
    [['--confg', 'x'], "unknown option '--confg': did you mean '--config'?"],
    [['--zzz'], "unknown option '--zzz'"],
    [['-x'], "unknown option '-x'"],
    [['run', '--config'], '--config wants a value: --config FILE'],
    [['run', '--config='], '--config wants a value: --config FILE'],
    [['run', '--config', '--json'], '--config wants a value: --config FILE'],
    [['run', '--json=yes'], '--json takes no value'],
    [['run', 'a.yml'], "unexpected argument 'a.yml'"],
    [['--json', 'run'], "unexpected argument 'run'"],
    [['check-config'], 'FILE is missing'],
    [['check-config', 'a', 'b'], "unexpected argument 'b'"],
    [['run', '--__proto__', 'x'], "unknown option '--__proto__'"],
  ])('%j', (args, message) => {
    expect(parse(args, commands)).toMatchObject({ ok: false, error: { message } });
  });

  it('names the command whose usage helps', () => {
    expect(parse(['init', '--force'], commands)).toMatchObject({ error: { command: third } });
    expect(parse(['nonsense'], commands)).toEqual({ ok: false, error: { message: "there is no command 'nonsense'" } });
  });
});

describe('a command with several arguments', () => {
  const abort = command('abort', { argument: { name: 'NODE ID', required: true } });
  const reset = command('reset', { argument: { name: 'CLUSTER KEY', required: true, repeated: true } });
  const given = (args: readonly string[]) => parse(args, [first, abort, reset]);

  it('takes as many as it names, and more of the last where that may be', () => {
    expect(given(['abort', 'n1', '7'])).toMatchObject({ value: { given: { arguments: ['n1', '7'] } } });
    expect(given(['reset', 'c', 'a', 'b'])).toMatchObject({ value: { given: { arguments: ['c', 'a', 'b'] } } });
  });

  it.each([
    [['abort'], 'NODE is missing'],
    [['abort', 'n1'], 'ID is missing'],
    [['abort', 'n1', '7', '8'], "unexpected argument '8'"],
    [['reset', 'c'], 'KEY is missing'],
  ])('is misused by %j', (args, message) => {
    expect(given(args)).toMatchObject({ ok: false, error: { message } });
  });
});

describe('a command of two words', () => {
  const add = command('silence add', { argument: { name: 'LABEL=VALUE', required: true, repeated: true } });
  const end = command('silence end', { argument: { name: 'ID', required: true } });
  const both = [first, add, end];

  it('is known by both, and may take several arguments', () => {
    expect(parse(['silence', 'add', 'a=1', 'b=2'], both)).toEqual({
      ok: true,
      value: { ask: 'run', command: add, given: { flags: {}, arguments: ['a=1', 'b=2'] } },
    });
    expect(parse(['silence', '--help'], both)).toEqual({ ok: true, value: { ask: 'overview' } });
    expect(parse(['silence', 'end', '--help'], both)).toEqual({ ok: true, value: { ask: 'help', command: end } });
  });

  it.each([
    [['silence'], "there is no command 'silence': say silence add, silence end"],
    [['silence', 'remove'], "there is no command 'silence remove': say silence add, silence end"],
    [['silence', 'ad'], "there is no command 'silence ad': did you mean 'silence add'?"],
    [['silence add'], "there is no command 'silence add'"],
    [['silence', 'add'], 'LABEL=VALUE is missing'],
    [['silence', 'end', 'a', 'b'], "unexpected argument 'b'"],
  ])('is misused by %j', (args, message) => {
    expect(parse(args, both)).toMatchObject({ ok: false, error: { message: expect.stringContaining(message) } });
  });
});
