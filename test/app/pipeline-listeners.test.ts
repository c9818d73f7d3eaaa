import { describe, expect, it } from 'vitest';
import { feed, setUp } from './pipeline-bed.ts';

describe('those who listen to the pipeline', () => {
  it('hear of a reading when it is on the page', async () => {
    const { page, good, bad, taken } = await setUp([feed('health', 'm1')]);
    const place = feed('health', 'm1');
    const shown = good(place, 1).then(() => page.values('graphdb_up'));
    expect(taken).toEqual([]);
    expect(await shown).toEqual(['1']);
    await bad(place, 'timeout');
    expect(taken).toEqual(['health@m1 good', 'health@m1 bad']);
  });
});
