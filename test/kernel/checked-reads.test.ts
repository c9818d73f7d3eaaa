import { expect, it } from 'vitest';
import { checkedReads } from '../../src/kernel/checked-reads.ts';
import { err, ok, type Result } from '../../src/kernel/result.ts';
import type { Row } from '../../src/kernel/store.ts';

it('reads that succeed have no problem; otherwise the first error is the problem', async () => {
  const results: Result<readonly Row[], string>[] = [ok([{ id: 1 }]), err('away'), ok([]), err('still away')];
  const { reads, problem } = checkedReads({ find: async () => results.shift() ?? ok([]) });
  expect(await reads.find({ table: 'episodes' })).toEqual(ok([{ id: 1 }]));
  expect(problem()).toBeUndefined();
  expect(await reads.find({ table: 'episodes' })).toEqual(err('away'));
  await reads.find({ table: 'episodes' });
  await reads.find({ table: 'episodes' });
  expect(problem()).toBe('away');
});
