import { describe, expect, it } from 'vitest';
import { watchFile, watchInterval } from '../../src/cli/config-reload.ts';
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
