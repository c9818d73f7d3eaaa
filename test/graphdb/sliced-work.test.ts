import { describe, expect, it } from 'vitest';
import { mapEntries, runSliced, type SlicedWork } from '../../src/graphdb/sliced-work.ts';
import { neverAborted } from '../support/client.ts';
import { CostlyClock, FakeClock } from '../support/clock.ts';

function thousands(): SlicedWork<number[]> {
  const entries = Array.from({ length: 10_000 }, (_, at) => at);
  return mapEntries(entries, (entry) => entry);
}

describe('mapEntries', () => {
  it('maps in order and drops entries that map to undefined', async () => {
    const work = mapEntries([1, 2, 3, 4], (entry) => (entry % 2 === 0 ? entry * 10 : undefined));
    expect(await runSliced(work, new FakeClock(), neverAborted())).toEqual({ ok: true, value: [20, 40] });
  });
});

describe('runSliced', () => {
  it('does short work without a pause', async () => {
    const clock = new CostlyClock();
    await runSliced(
      mapEntries([1, 2], (entry) => entry),
      clock,
      neverAborted(),
    );
    expect(clock.pauses).toBe(0);
  });

  it('pauses in long work, and returns its complete result', async () => {
    const clock = new CostlyClock();
    const result = await runSliced(thousands(), clock, neverAborted());
    expect(result.ok && result.value.length).toBe(10_000);
    expect(clock.pauses).toBeGreaterThan(5);
  });

  it('fails with the reason timeout when it is aborted', async () => {
    const stop = new AbortController();
    const clock = new CostlyClock(() => stop.abort());
    expect(await runSliced(thousands(), clock, stop.signal)).toMatchObject({
      ok: false,
      error: { reason: 'timeout' },
    });
  });
});
