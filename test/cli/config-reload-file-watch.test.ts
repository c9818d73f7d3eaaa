import { describe, expect, it } from 'vitest';
import { watchFile, watchInterval, watchWebConfig } from '../../src/cli/config-reload.ts';
import { ok } from '../../src/kernel/result.ts';
import type { ConfigProblem } from '../../src/model/config-problem.ts';
import { type TestPorts, testPorts } from '../support/cli-ports.ts';

const path = 'graphwarden.yml';

/** Begins to watch; `meanwhile` is what the file holds by then, where it was read before that. */
async function changesSeen(meanwhile?: string): Promise<{
  readonly ports: TestPorts;
  readonly changes: () => number;
  readonly stop: () => Promise<void>;
}> {
  const ports = testPorts();
  const stopping = new AbortController();
  let count = 0;
  ports.disk.set(path, 'first');
  const changed = async (): Promise<void> => {
    count += 1;
  };
  const stamp = await ports.files.stamp(path);
  if (meanwhile !== undefined) ports.disk.set(path, meanwhile);
  const ended = watchFile({ path, stamp }, changed, ports, stopping.signal);
  await ports.clock.settle();
  return {
    ports,
    changes: () => count,
    stop: () => {
      stopping.abort();
      return ended;
    },
  };
}

describe('a monitored file', () => {
  it('that does not change is not reported', async () => {
    const { ports, changes, stop } = await changesSeen();
    await ports.clock.advance(10 * watchInterval);
    expect(changes()).toBe(0);
    await stop();
    expect(ports.clock.sleeping).toBe(0);
  });

  it('that changed is reported once, after it has settled', async () => {
    const { ports, changes, stop } = await changesSeen();
    ports.disk.set(path, 'half');
    await ports.clock.advance(watchInterval);
    ports.disk.set(path, 'half and half');
    await ports.clock.advance(watchInterval);
    expect(changes()).toBe(0);
    await ports.clock.advance(5 * watchInterval);
    expect(changes()).toBe(1);
    await stop();
  });

  it('that changed between its load and the start of the file watch is reported', async () => {
    const { ports, changes, stop } = await changesSeen('second');
    await ports.clock.advance(3 * watchInterval);
    expect(changes()).toBe(1);
    await stop();
  });

  it('that is missing for a moment is not reported, and its successor is reported', async () => {
    const { ports, changes, stop } = await changesSeen();
    ports.disk.delete(path);
    await ports.clock.advance(3 * watchInterval);
    expect(changes()).toBe(0);
    ports.disk.set(path, 'second');
    await ports.clock.advance(3 * watchInterval);
    expect(changes()).toBe(1);
    await stop();
  });

  it('that is replaced with the same content is not reported', async () => {
    const { ports, changes, stop } = await changesSeen();
    ports.disk.delete(path);
    await ports.clock.advance(2 * watchInterval);
    ports.disk.set(path, 'first');
    await ports.clock.advance(4 * watchInterval);
    expect(changes()).toBe(0);
    await stop();
  });
});

describe('a monitored web config file', () => {
  const problem: ConfigProblem = { file: 'web.yml', line: 1, column: 1, path: '', message: 'wrong' };

  it('causes a reload when it is rejected, also if it is deleted, and when it is valid again', async () => {
    const ports = testPorts();
    const stopping = new AbortController();
    let reloads = 0;
    ports.disk.set('web.yml', 'valid');
    const stamp = async (): Promise<string> => `${await ports.files.stamp('web.yml')}`;
    const web = {
      path: 'web.yml',
      firstStamp: await stamp(),
      stamp,
      problems: async () => (ports.disk.get('web.yml')?.startsWith('valid') === true ? [] : [problem]),
    };
    const reload = async () => {
      reloads += 1;
      return ok([]);
    };
    const ended = watchWebConfig(web, reload, ports, stopping.signal);
    const reloadsAfter = async (change: () => void): Promise<number> => {
      change();
      await ports.clock.advance(10 * watchInterval);
      return reloads;
    };
    expect(await reloadsAfter(() => undefined)).toBe(0);
    expect(await reloadsAfter(() => ports.disk.set('web.yml', 'valid, with another user'))).toBe(0);
    expect(await reloadsAfter(() => ports.disk.set('web.yml', 'typo'))).toBe(1);
    expect(await reloadsAfter(() => ports.disk.set('web.yml', 'another typo'))).toBe(1);
    expect(await reloadsAfter(() => ports.disk.set('web.yml', 'valid again'))).toBe(2);
    expect(await reloadsAfter(() => ports.disk.delete('web.yml'))).toBe(3);
    stopping.abort();
    await ended;
  });
});
