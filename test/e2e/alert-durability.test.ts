import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addressOf, alertingScene, engineAlert, fakeReceivers, untilTold } from '../support/alerting-scene.ts';
import { eventually } from '../support/child.ts';
import { temporaryFolder } from '../support/live-ports.ts';
import { findTool } from '../support/tools.ts';

/** One call of the system, once it returned. */
interface Call {
  readonly name: string;
  /** The arguments, with the file or the connection behind each descriptor. */
  readonly text: string;
  readonly result: string;
}

/** Reads what strace wrote of many threads, in the order in which the calls returned. */
function callsOf(trace: string): readonly Call[] {
  const open = new Map<string, string>();
  return trace.split('\n').flatMap((line) => {
    const [, thread = '', said = ''] = /^(\d+) +(.*)$/.exec(line) ?? [];
    const begun = /^(.*) <unfinished \.\.\.>$/.exec(said)?.[1];
    if (begun !== undefined) {
      open.set(thread, begun);
      return [];
    }
    const rest = /^<\.\.\. \w+ resumed>(.*)$/.exec(said)?.[1];
    const whole = rest === undefined ? said : `${open.get(thread) ?? ''}${rest}`;
    const [, name, text, result] = /^(\w+)\((.*)\) += (-?\w+)/.exec(whole) ?? [];
    return name === undefined || text === undefined || result === undefined ? [] : [{ name, text, result }];
  });
}

/** Whether a call is about the log that SQLite writes ahead. */
function isLog({ text }: Call): boolean {
  return /^\d+<[^>]*-wal>/.test(text);
}

describe('callsOf', () => {
  it('puts calls of several threads together, in the order of their returns', () => {
    const trace = [
      '11 fdatasync(21</s/state.db-wal> <unfinished ...>',
      '12 write(30<TCP:[1->2]>, "POST (x) = 1", 12) = 12',
      '11 <... fdatasync resumed>)          = 0',
      '12 +++ exited with 0 +++',
    ].join('\n');
    expect(callsOf(trace)).toEqual([
      { name: 'write', text: '30<TCP:[1->2]>, "POST (x) = 1", 12', result: '12' },
      { name: 'fdatasync', text: '21</s/state.db-wal>', result: '0' },
    ]);
  });
});

const traced = ['fsync', 'fdatasync', 'pwrite64', 'write', 'writev', 'sendto', 'sendmsg'];

describe.skipIf(findTool('strace') === undefined)('what is owed', () => {
  it('is on the disk before the first byte of it goes out', async () => {
    const receivers = await fakeReceivers({ name: 'hook', kind: 'webhook' });
    const url = addressOf(receivers, 'hook');
    const scene = await alertingScene({
      receivers: [{ name: 'hook', webhook: { url } }],
      routes: [{ receivers: ['hook'], group_wait: '0s' }],
    });
    const file = join(await temporaryFolder(), 'trace');
    const { child } = await scene.live(['strace', '-D', '-f', '-yy', '-s', '8192', '-o', file, '-e', traced.join(',')]);
    scene.setEngine('Down');
    await untilTold(receivers, 'hook', 'trigger');
    expect(await child.stop()).toBe(0);

    const trace = await eventually('the trace is whole', async () => {
      const text = await readFile(file, 'utf8');
      return text.trimEnd().endsWith('+++ exited with 0 +++') ? text : undefined;
    });
    const calls = callsOf(trace);
    const written = calls.findIndex((call) => isLog(call) && call.text.includes(engineAlert.alertname));
    const synced = calls.findIndex(
      (call, at) => at > written && isLog(call) && /^f(?:data)?sync$/.test(call.name) && call.result === '0',
    );
    const sent = calls.findIndex(({ text }) => text.includes(`->127.0.0.1:${new URL(url).port}]`));
    expect(written).toBeGreaterThan(-1);
    expect(synced).toBeGreaterThan(written);
    expect(sent).toBeGreaterThan(synced);
  }, 60_000);
});
