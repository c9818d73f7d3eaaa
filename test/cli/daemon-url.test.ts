import { describe, expect, it } from 'vitest';
import { runCli } from '../../src/cli/cli.ts';
import { UsageError } from '../../src/cli/command.ts';
import { commands } from '../../src/cli/commands/all.ts';
import { daemonTls, daemonUrl, tlsFlags, urlFlag } from '../../src/cli/daemon-url.ts';
import { ok } from '../../src/kernel/result.ts';
import { testPorts } from '../support/cli-ports.ts';
import { loadedCommands } from '../support/loaded-commands.ts';

function urlFrom(flag: string | undefined, variable?: string): URL {
  const environment = variable === undefined ? {} : { GRAPHWARDEN_URL: variable };
  return daemonUrl({ flags: flag === undefined ? {} : { url: flag }, arguments: [] }, { environment });
}

describe('address of the daemon', () => {
  it.each([
    ['the option', 'http://a:1/p', undefined, 'http://a:1/p'],
    ['the option before the environment', 'http://a:1', 'http://b:2', 'http://a:1/'],
    ['the option although the environment is malformed', 'http://a:1', 'b', 'http://a:1/'],
    ['the environment', undefined, 'https://b:2/warden', 'https://b:2/warden'],
    ['the default with an empty variable', undefined, '', 'http://127.0.0.1:9916/'],
    ['the default', undefined, undefined, 'http://127.0.0.1:9916/'],
  ])('is that of %s', (_, flag, variable, expected) => {
    expect(urlFrom(flag, variable).href).toBe(expected);
  });

  it.each([
    ['localhost:9916', undefined, '--url must be http://HOST:PORT or https://HOST:PORT'],
    [undefined, 'localhost:9916', 'GRAPHWARDEN_URL must be http://HOST:PORT or https://HOST:PORT'],
    [undefined, 'ftp://h/', 'GRAPHWARDEN_URL must be http://HOST:PORT or https://HOST:PORT'],
    [
      undefined,
      'http://alice:hunter2@h/',
      'GRAPHWARDEN_URL must not contain credentials; use --user and --password-file',
    ],
  ])('%j with GRAPHWARDEN_URL %j is a usage error', (flag, variable, message) => {
    expect(() => urlFrom(flag, variable)).toThrow(new UsageError(message));
  });
});

const calling = loadedCommands.filter(({ flags }) => flags.includes(urlFlag));

it('--url › is an option of every command with an option --url', () => {
  expect(calling.map(({ name }) => name)).toEqual(
    loadedCommands.filter(({ flags }) => flags.some(({ name }) => name === 'url')).map(({ name }) => name),
  );
});

const required: Readonly<Record<string, readonly string[]>> = {
  abort: ['prod/m1', '7', '--reason', 'x'],
  'silence add': ['a=b', '--for', '1h', '--reason', 'x', '--author', 'a'],
  'silence end': ['5f'],
  acknowledge: ['5f-7', '--author', 'a'],
  unacknowledge: ['5f-7'],
  'guard reset-breaker': ['prod', 'x'],
  'guard why': ['prod/m1', '7'],
};

it.each(calling.map(({ name }) => name))('--url › %s reads GRAPHWARDEN_URL', async (name) => {
  const ports = testPorts({ environment: { GRAPHWARDEN_URL: 'b' } });
  expect(await runCli([...name.split(' '), ...(required[name] ?? [])], commands, ports)).toBe(2);
  expect(ports.stderr.text()).toContain('graphwarden: GRAPHWARDEN_URL must be http://HOST:PORT');
});

const tls = (flags: Readonly<Record<string, string>>, files: Readonly<Record<string, string>> = {}) => {
  const ports = testPorts();
  for (const [path, text] of Object.entries(files)) ports.disk.set(path, text);
  return daemonTls({ flags, arguments: [] }, ports);
};

describe('TLS of the connection to the daemon', () => {
  it('is verified with the authorities of the system or of a file, or disabled', async () => {
    expect(await tls({})).toEqual(ok({}));
    expect(await tls({ insecure: '' })).toEqual(ok({ tls: { insecureSkipVerify: true } }));
    expect(await tls({ 'ca-file': 'ca.pem' }, { 'ca.pem': 'PEM' })).toEqual(ok({ tls: { ca: 'PEM' } }));
  });

  it('fails if the file cannot be read, and if the options contradict each other', async () => {
    expect(await tls({ 'ca-file': 'ca.pem' })).toMatchObject({ ok: false });
    await expect(tls({ 'ca-file': 'ca.pem', insecure: '' })).rejects.toThrow(UsageError);
    expect(tlsFlags.map(({ name }) => name)).toEqual(['ca-file', 'insecure']);
  });
});
