import { describe, expect, it } from 'vitest';
import type { Row } from '../../src/kernel/store.ts';
import type { Transition } from '../../src/model/transition.ts';
import { memoryStore } from '../../src/runtime/store/local-store.ts';
import {
  type AvailabilityInput,
  availabilitySummary,
  parseAvailability,
  summaryRows,
} from '../../src/track/availability-summary.ts';
import { insertTransition, tables } from '../../src/track/rows.ts';

const window = { from: 0, to: 1_000_000 };

function idOf(replica: string, partition = '1') {
  return { cluster: 'prod', service: 'GPE', partition, replica };
}

function current(replica: string, status = 'Online', partition = '1'): AvailabilityInput['replicas'][number] {
  return { ...idOf(replica, partition), status, since: 0 };
}

function turn(replica: string, at: number, [from, to]: readonly [string, string], partition = '1'): Transition {
  return { ...idOf(replica, partition), at, from, to, process: '', eventId: '', eventNs: '', source: 'm1' };
}

async function summarize(timeline: readonly Transition[], replicas: AvailabilityInput['replicas']) {
  const store = memoryStore();
  await store.commit(timeline.map(insertTransition));
  const query = { table: tables.transitions, ...summaryRows };
  const rows = await store.history.summarize(availabilitySummary, query, { window, replicas });
  if (!rows.ok) throw new Error(rows.error);
  return parseAvailability(rows.value);
}

describe('availabilitySummary', () => {
  it('returns each partition and each of its replicas', async () => {
    const timeline = [turn('1', 300_000, ['Down', 'Online']), turn('1', 100_000, ['Online', 'Down'])];
    expect(await summarize(timeline, [{ ...current('1'), since: 300_000 }, current('2')])).toEqual([
      { ...idOf(''), replica: null, observed: 1_000_000, online: 1_000_000, outages: 0, time_to_recover: null },
      { ...idOf('1'), observed: 1_000_000, online: 800_000, outages: 1, time_to_recover: 200_000 },
      { ...idOf('2'), observed: 1_000_000, online: 1_000_000, outages: 0, time_to_recover: null },
    ]);
  });

  it('keeps the partitions apart, in the order of the current replicas', async () => {
    const timeline = ['1', '2', '3'].map((partition, index) =>
      turn('1', 100_000 * (index + 1), ['Online', 'Down'], partition),
    );
    const found = await summarize(timeline, [current('1', 'Online', '4'), current('1', 'Down', '2')]);
    expect(found.filter(({ replica }) => replica === null).map(({ partition, online }) => [partition, online])).toEqual(
      [
        ['4', 1_000_000],
        ['2', 200_000],
        ['1', 100_000],
        ['3', 300_000],
      ],
    );
  });

  it('includes replicas that no longer exist', async () => {
    const found = await summarize([turn('9', 500_000, ['Online', ''])], []);
    expect(found.map(({ replica, observed }) => [replica, observed])).toEqual([
      [null, 500_000],
      ['9', 500_000],
    ]);
  });

  it('skips rows that are not transitions', () => {
    const rows: readonly Row[] = [{ at: 'noon' }];
    expect(availabilitySummary.compute(rows, { window, replicas: [] })).toEqual([]);
  });

  it('is empty without replicas', async () => {
    expect(await summarize([], [])).toEqual([]);
  });
});
