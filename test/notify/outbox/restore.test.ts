import { describe, expect, it } from 'vitest';
import { err } from '../../../src/kernel/result.ts';
import { newEpisode } from '../../../src/notify/outbox/episode.ts';
import { restoreOutbox } from '../../../src/notify/outbox/restore.ts';
import { laneKept, standingKept } from '../../../src/notify/outbox/rows.ts';
import { memoryStore } from '../../../src/runtime/store/memory-store.ts';
import { firing } from '../delivering.ts';

const to = { receiver: 'one', group: {}, groupWait: 0 };

function lane(key: string) {
  return { key, episodes: [newEpisode(firing(key), to, 0, { wall: 0, mono: 0 })] };
}

describe('what was owed', () => {
  it('is read receiver by receiver, without what cannot be understood', async () => {
    const store = memoryStore();
    await store.commit([
      laneKept('one', lane('b')),
      laneKept('one', lane('a')),
      laneKept('two', lane('a')),
      standingKept('two', { folded: { count: 2, newest: [] } }),
      { table: 'lanes', put: { receiver: 'three', key: 'a', owed: 'nonsense' } },
    ]);
    const kept = await restoreOutbox(store);
    expect([...kept.keys()]).toEqual(['one', 'two']);
    expect(kept.get('one')?.lanes.map(({ key }) => key)).toEqual(['a', 'b']);
    expect(kept.get('one')?.standing).toBeUndefined();
    expect(kept.get('two')).toMatchObject({ lanes: [{ key: 'a' }], standing: { folded: { count: 2 } } });
  });

  it('is nothing where the store cannot be read', async () => {
    const store = memoryStore();
    store.find = async () => err('gone');
    expect((await restoreOutbox(store)).size).toBe(0);
  });
});
