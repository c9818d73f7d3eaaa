import { describe, expect, it } from 'vitest';
import { err } from '../../../src/kernel/result.ts';
import {
  alertQueueChange,
  mergeReceivers,
  receiverStateChange,
  restoreOutbox,
  storedNames,
} from '../../../src/notify/outbox/outbox-store.ts';
import { newQueuedIncident } from '../../../src/notify/outbox/queued-incident.ts';
import { memoryStore } from '../../../src/runtime/store/local-store.ts';
import { firing } from '../delivery-testbed.ts';

const to = { receiver: 'one', group: {}, groupWait: 0 };

function queue(key: string) {
  return { key, incidents: [newQueuedIncident(firing(key), to, 0, { wall: 0, mono: 0 })] };
}

const missed = (key: string) => ({ key, episode: 1, summary: 's', severity: 'info', startsAt: 1, endsAt: 2 }) as const;

describe('restored outbox', () => {
  it('has the queues and the state of each receiver, without invalid rows', async () => {
    const store = memoryStore();
    await store.commit([
      alertQueueChange('one', queue('b'), 'prod'),
      alertQueueChange('one', queue('a'), 'prod'),
      alertQueueChange('two', queue('a'), 'prod'),
      receiverStateChange('two', { folded: { count: 2, newest: [] } }),
      { table: 'lanes', put: { receiver: 'three', key: 'a', [storedNames.content]: 'nonsense' } },
    ]);
    const { receivers: kept, deletions } = await restoreOutbox(store);
    expect(deletions).toEqual([]);
    expect([...kept.keys()]).toEqual(['one', 'two']);
    expect(kept.get('one')?.queues.map(({ key }) => key)).toEqual(['a', 'b']);
    expect(kept.get('one')?.state).toBeUndefined();
    expect(kept.get('two')).toMatchObject({ queues: [{ key: 'a' }], state: { folded: { count: 2 } } });
  });

  it('is the union of rows with the same key, in the order of the incidents', async () => {
    const store = memoryStore();
    const older = { ...queue('a'), incidents: [newQueuedIncident(firing('a', 5), to, 0, { wall: 0, mono: 0 })] };
    const newer = { ...queue('a'), incidents: [newQueuedIncident(firing('a', 7), to, 0, { wall: 0, mono: 0 })] };
    const state = (key: string) => receiverStateChange('one', { folded: { count: 1, newest: [missed(key)] } });
    const aside = [alertQueueChange('one', older, 'prod'), state('x')].map((change) => ({
      table: 'unmerged_rows',
      put: { origin: 'lanes', content: JSON.stringify('put' in change ? change.put : {}) },
    }));
    await store.commit([alertQueueChange('one', newer, 'prod'), state('y'), ...aside]);
    const { receivers, deletions } = await restoreOutbox(store);
    expect(receivers.get('one')?.queues[0]?.incidents.map(({ alert }) => alert.episode)).toEqual([5, 7]);
    expect(receivers.get('one')?.state?.folded).toEqual({ count: 2, newest: [missed('x'), missed('y')] });
    expect(deletions).toHaveLength(2);
    await store.commit(deletions);
    expect((await restoreOutbox(store)).deletions).toEqual([]);
  });

  it('has the incidents of two receivers of one name, and for one that is in both the state of the first', () => {
    const known = (episode: number, due: number) =>
      newQueuedIncident(firing('a', episode), to, due, { wall: 0, mono: 0 });
    const first = { queues: [{ key: 'a', incidents: [known(7, 1)] }] };
    const second = {
      queues: [{ key: 'a', incidents: [known(5, 2), known(7, 2)] }, queue('b')],
      state: { folded: { count: 1, newest: [missed('x')] } },
    };
    const { queues, state } = mergeReceivers(first, second);
    expect(queues.map(({ key, incidents }) => [key, incidents.map(({ alert, due }) => [alert.episode, due])])).toEqual([
      [
        'a',
        [
          [5, 2],
          [7, 1],
        ],
      ],
      ['b', [[1, 0]]],
    ]);
    expect(state).toEqual(second.state);
  });

  it('is empty if the store cannot be read', async () => {
    const store = memoryStore();
    store.find = async () => err('gone');
    expect((await restoreOutbox(store)).receivers.size).toBe(0);
  });
});
