import { describe, expect, it } from 'vitest';
import { keptInputs } from '../../campaigns/fuzz/corpus.ts';
import { fuzz } from '../../campaigns/fuzz/fuzz.ts';
import type { FuzzTarget } from '../../campaigns/fuzz/target.ts';
import { targets } from '../../campaigns/fuzz/targets/all.ts';
import { numberOfRuns } from '../support/campaign.ts';

const most = numberOfRuns({ short: 30, campaign: 3000 });

it.each(targets.map((target) => [target.name, target] as const))(
  'fuzz target %s › violates no oracle on its recorded, kept and mutated inputs',
  async (name, target) => {
    const kept = keptInputs(name);
    const { finding, inputs, outcomes } = await fuzz(target, {
      seed: 1,
      kept,
      goesOn: (totals) => totals.inputs < most,
    });
    expect(finding).toBeUndefined();
    expect(inputs).toBeGreaterThanOrEqual(most);
    expect(inputs).toBeGreaterThan(target.seeds().length + kept.length);
    expect(outcomes).toBeGreaterThan(1);
  },
  600_000,
);

function targetOf(run: (input: string) => string): FuzzTarget {
  return {
    name: 'test',
    about: '',
    seeds: () => ['[1, 2, 3]'],
    open: async () => ({ run: async (input) => ({ outcome: run(input) }) }),
  };
}

async function findingOf(run: (input: string) => string, kept: readonly string[] = [], limit = 1000) {
  const { finding } = await fuzz(targetOf(run), { seed: 1, kept, limit, goesOn: ({ inputs }) => inputs < 2000 });
  return finding;
}

describe('fuzz run', () => {
  it('finds a mutation that throws, and names the reason', async () => {
    const found = await findingOf((input) => {
      if (input.includes('[[')) throw new Error('nested');
      return '';
    });
    expect(found?.input).toContain('[[');
    expect(found?.reason).toContain('nested');
  });

  it('runs the kept inputs first', async () => {
    const found = await findingOf(
      (input) => {
        if (input === 'kept') throw new Error('again');
        return '';
      },
      ['other', 'kept'],
    );
    expect(found).toMatchObject({ input: 'kept', reason: expect.stringContaining('again') });
  });

  it('finds an input that exceeds the limit of processor time', async () => {
    const limit = 50;
    const found = await findingOf(
      (input) => {
        if (input === 'slow') {
          const begin = process.threadCpuUsage();
          for (let used = { user: 0, system: 0 }; used.user + used.system < limit * 1100; )
            used = process.threadCpuUsage(begin);
        }
        return '';
      },
      ['slow'],
      limit,
    );
    expect(found).toMatchObject({ input: 'slow', reason: expect.stringMatching(/took \d+ ms of processor time/) });
  });

  it('makes further inputs from those with a new outcome', async () => {
    const depths = new Set<number>();
    await findingOf((input) => {
      const depth = Math.min(5, input.split('"').length - 1);
      depths.add(depth);
      return String(depth);
    });
    expect(depths).toEqual(new Set([0, 1, 2, 3, 4, 5]));
  });
});
