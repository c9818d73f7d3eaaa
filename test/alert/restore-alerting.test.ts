import { expect, it } from 'vitest';
import { episodeKept, lastNumberKept, silenceKept } from '../../src/alert/episode-rows.ts';
import { restoreAlerting } from '../../src/alert/restore-alerting.ts';
import { memoryStore } from '../../src/runtime/store/memory-store.ts';
import { episodeAt } from './episode-of.ts';

const now = { wall: 5, mono: 6 };
const silence = { id: 's', match: {}, startsAt: 1, endsAt: 2, author: 'me', reason: 'because' };

it('knows what was stored, and leaves out what cannot be read', async () => {
  const store = memoryStore();
  const episode = episodeAt('quick', { node: 'm1' }, { number: 70 });
  const broken = episodeKept(episodeAt('slow', {}));
  await store.commit([
    episodeKept(episode),
    silenceKept(silence),
    'put' in broken ? { ...broken, put: { ...broken.put, labels: 'no JSON' } } : expect.fail('nothing is put'),
  ]);
  const state = await restoreAlerting(store, now);
  expect([...state.episodes.keys()]).toEqual([episode.place]);
  expect([...state.silences.keys()]).toEqual(['s']);
  expect(state.lastNumber).toBe(70);
});

it('knows the highest number, also of what is over', async () => {
  const store = memoryStore();
  await store.commit([lastNumberKept(90), episodeKept(episodeAt('quick', { node: 'm1' }, { number: 70 }))]);
  expect((await restoreAlerting(store, now)).lastNumber).toBe(90);
  await store.commit([{ table: 'counters', put: { name: 'episode', value: -1 } }]);
  expect((await restoreAlerting(store, now)).lastNumber).toBe(70);
});

it('knows nothing where nothing can be read', async () => {
  const store = memoryStore();
  await store.close();
  const state = await restoreAlerting(store, now);
  expect([state.episodes.size, state.silences.size, state.lastNumber]).toEqual([0, 0, 0]);
});
