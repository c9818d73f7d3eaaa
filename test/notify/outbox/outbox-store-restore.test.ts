import { describe, expect, it } from 'vitest';
import { err } from '../../../src/kernel/result.ts';
import {
  alertQueueChange,
  receiverStateChange,
  restoreOutbox,
  storedNames,
} from '../../../src/notify/outbox/outbox-store.ts';
import { newQueuedIncident } from '../../../src/notify/outbox/queued-incident.ts';
import { memoryStore } from '../../../src/runtime/store/local-store.ts';
import { firing } from '../delivery-testbed.ts';

const to = { receiver: 'one', group: {}, groupWait: 0 };

function queue(key: string) {
  return { key, episodes: [newQueuedIncident(firing(key), to, 0, { wall: 0, mono: 0 })] };
}

describe('restored outbox', () => {
  it('has the queues and the state of each receiver, without invalid rows', async () => {
    const store = memoryStore();
    await store.commit([
      alertQueueChange('one', queue('b')),
      alertQueueChange('one', queue('a')),
      alertQueueChange('two', queue('a')),
      receiverStateChange('two', { folded: { count: 2, newest: [] } }),
      { table: 'lanes', put: { receiver: 'three', key: 'a', [storedNames.content]: 'nonsense' } },
    ]);
    const kept = await restoreOutbox(store);
    expect([...kept.keys()]).toEqual(['one', 'two']);
    expect(kept.get('one')?.queues.map(({ key }) => key)).toEqual(['a', 'b']);
    expect(kept.get('one')?.standing).toBeUndefined();
    expect(kept.get('two')).toMatchObject({ queues: [{ key: 'a' }], standing: { folded: { count: 2 } } });
  });

  it('is empty if the store cannot be read', async () => {
    const store = memoryStore();
    store.find = async () => err('gone');
    expect((await restoreOutbox(store)).size).toBe(0);
  });
});
