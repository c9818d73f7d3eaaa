import { describe, expect, it } from 'vitest';
import { untilAborted } from '../../../src/simulator/faults/fault.ts';

describe('until', () => {
  it('resolves when the signal aborts, and not before', async () => {
    const controller = new AbortController();
    const log: string[] = [];
    const waited = untilAborted(controller.signal).then(() => log.push('aborted'));
    await Promise.resolve();
    log.push('before');
    controller.abort();
    await waited;
    expect(log).toEqual(['before', 'aborted']);
  });

  it('resolves at once where it is too late', async () => {
    await expect(untilAborted(AbortSignal.abort())).resolves.toBeUndefined();
  });
});
