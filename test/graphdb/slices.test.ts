import { describe, expect, it } from 'vitest';
import { mapEntries, runInSlices, type Work } from '../../src/graphdb/slices.ts';
import type { Clock } from '../../src/kernel/time.ts';
import { patient } from '../support/client.ts';
import { FakeClock } from '../support/clock.ts';

/** A clock on which every look costs a millisecond. */
function costlyClock(): Clock & { breaths: number } {
  const clock = new FakeClock();
  let mono = 0;
  const costly = {
    breaths: 0,
    now: () => {
      mono += 1;
      return { ...clock.now(), mono };
    },
    sleep: clock.sleep.bind(clock),
    breathe: async () => {
      costly.breaths += 1;
    },
  };
  return costly;
}

function thousands(): Work<number[]> {
  const entries = Array.from({ length: 10_000 }, (_, at) => at);
  return mapEntries(entries, (entry) => entry);
}

describe('mapEntries', () => {
  it('maps in order and leaves out what gives nothing', async () => {
    const work = mapEntries([1, 2, 3, 4], (entry) => (entry % 2 === 0 ? entry * 10 : undefined));
    expect(await runInSlices(work, new FakeClock(), patient())).toEqual({ ok: true, value: [20, 40] });
  });
});

describe('runInSlices', () => {
  it('does short work in one go', async () => {
    const clock = costlyClock();
    await runInSlices(
      mapEntries([1, 2], (entry) => entry),
      clock,
      patient(),
    );
    expect(clock.breaths).toBe(0);
  });

  it('pauses in long work, and loses nothing', async () => {
    const clock = costlyClock();
    const result = await runInSlices(thousands(), clock, patient());
    expect(result.ok && result.value.length).toBe(10_000);
    expect(clock.breaths).toBeGreaterThan(5);
  });

  it('ends as timeout when it is aborted in between', async () => {
    const clock = costlyClock();
    const stop = new AbortController();
    clock.breathe = async () => stop.abort();
    expect(await runInSlices(thousands(), clock, stop.signal)).toMatchObject({
      ok: false,
      error: { reason: 'timeout' },
    });
  });
});
