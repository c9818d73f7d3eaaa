import { describe, expect, it } from 'vitest';
import { BoundedLog } from '../../src/simulator/call.ts';

describe('BoundedLog', () => {
  it('keeps entries in the order of their arrival, whenever they are completed', () => {
    const log = new BoundedLog<{ readonly path: string; readonly status?: number }>();
    const first = log.add({ path: '/a' });
    log.add({ path: '/b' })({ path: '/b', status: 200 });
    expect(log.entries()).toEqual([{ path: '/a' }, { path: '/b', status: 200 }]);
    first({ path: '/a', status: 404 });
    first({ path: '/a', status: 500 });
    expect(log.entries()).toEqual([
      { path: '/a', status: 500 },
      { path: '/b', status: 200 },
    ]);
  });

  it('drops the oldest entries, and ignores the completion of a dropped one', () => {
    const log = new BoundedLog<number>();
    const oldest = log.add(-1);
    for (let entry = 0; entry <= 40_000; entry += 1) log.add(entry);
    oldest(-2);
    expect(log.entries()).toHaveLength(20_000);
    expect(log.entries().at(-1)).toBe(40_000);
    expect(log.entries()[0]).toBe(20_001);
  });

  it('returns copies', () => {
    const log = new BoundedLog<string>();
    const before = log.entries();
    log.add('a');
    expect(before).toEqual([]);
  });
});
