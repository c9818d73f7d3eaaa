import { describe, expect, it } from 'vitest';
import { exitCode } from '../../src/cli/command.ts';
import { printDaemonView, printView, tableTerminal, type View, viewFlags } from '../../src/cli/view.ts';
import { err, ok } from '../../src/kernel/result.ts';
import { testPorts } from '../support/cli-ports.ts';
import { freePort } from '../support/free-port.ts';
import { livePorts } from '../support/live-ports.ts';

const words: View<readonly string[]> = {
  load: async () => ok(['a', 'b']),
  text: (data) => `${data.join('\n')}\n`,
  footnote: () => 'incomplete\n',
};

const given = (flags: Readonly<Record<string, string>> = {}) => ({ flags, arguments: [] });

describe('view', () => {
  it('is printed once, with its footnote', async () => {
    const ports = testPorts();
    expect(await printView(given(), ports, words)).toBe(exitCode.ok);
    expect([ports.stdout.text(), ports.stderr.text()]).toEqual(['a\nb\nincomplete\n', '']);
  });

  it('is JSON with its footnote on the standard error', async () => {
    const ports = testPorts();
    await printView(given({ json: '' }), ports, { ...words, json: (data) => ({ words: data }) });
    expect(JSON.parse(ports.stdout.text())).toEqual({ words: ['a', 'b'] });
    expect(ports.stderr.text()).toBe('incomplete\n');
  });

  it('returns the exit code of its data, and 1 if they cannot be loaded', async () => {
    expect(await printView(given(), testPorts(), { ...words, exit: () => exitCode.critical })).toBe(4);
    const ports = testPorts();
    expect(await printView(given(), ports, { ...words, load: async () => err('no daemon') })).toBe(1);
    expect(ports.stderr.text()).toBe('graphwarden: no daemon\n');
  });

  it('has options for its form', () => {
    expect(viewFlags().map(({ name }) => name)).toEqual(['watch', 'wide', 'json']);
  });

  it('of a daemon that does not run is an error', async () => {
    const ports = livePorts();
    const url = `http://127.0.0.1:${await freePort()}`;
    expect(await printDaemonView(given({ url }), ports, { ...words, load: words.load })).toBe(exitCode.ok);
    const load = async () => err(`${url}: refused`);
    expect(await printDaemonView(given({ url }), ports, { ...words, load })).toBe(exitCode.failed);
  });
});

describe('view with --watch', () => {
  async function runWatch(flags: Readonly<Record<string, string>>, environment = {}, terminal = false) {
    const ports = testPorts({ environment, terminal });
    let rounds = 0;
    const clock = {
      yieldToEventLoop: async () => {},
      now: () => ({ wall: Date.UTC(2026, 0, 31, 12), mono: 0 }),
      sleep: async () => {
        rounds += 1;
        if (rounds === 2) ports.signal('SIGINT');
      },
    };
    const stdout = Object.assign(ports.stdout, { isTerminal: terminal });
    const load = async () => (rounds === 0 ? ok(['a']) : err('away\u0007'));
    const code = await printView(given({ watch: '', ...flags }), { ...ports, stdout, clock }, { ...words, load });
    expect(ports.listeners('SIGINT')).toBe(0);
    return { code, text: ports.stdout.text() };
  }

  it('is refreshed until a signal, also while the daemon is unavailable', async () => {
    expect(await runWatch({})).toEqual({
      code: 0,
      text: '\n12:00:00 UTC\n\na\nincomplete\n\n12:00:00 UTC\n\naway \n',
    });
  });

  it('clears the screen of a terminal, but not of a dumb one', async () => {
    expect((await runWatch({}, {}, true)).text.split('\u001B[H\u001B[J')).toHaveLength(3);
    expect((await runWatch({}, { TERM: 'dumb' }, true)).text).not.toContain('\u001B');
  });

  it('is one line of JSON per round', async () => {
    expect((await runWatch({ json: '' })).text).toBe('["a"]\n');
  });
});

it('tables hide columns unless all are requested', () => {
  const { stdout } = testPorts();
  expect(tableTerminal(given(), { stdout })).toMatchObject({ wide: false, hasColors: false });
  expect(tableTerminal(given({ wide: '' }), { stdout: { ...stdout, columns: 80 } })).toMatchObject({
    columns: 80,
    wide: true,
  });
});
