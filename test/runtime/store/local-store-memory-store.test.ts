import { describe, expect, it } from 'vitest';
import { memoryStore } from '../../../src/runtime/store/local-store.ts';

describe('an in-memory store', () => {
  it('has the tables of the one on disk', async () => {
    const store = memoryStore();
    for (const table of ['transitions', 'notifications']) {
      expect(await store.find({ table, order: ['at'] })).toEqual({ ok: true, value: [] });
    }
  });

  it('is configured, or replaces a disk that failed', () => {
    expect(memoryStore()).toMatchObject({ durable: true, problem: undefined, wasRecreated: false });
    expect(memoryStore('the disk is full')).toMatchObject({ durable: false, problem: 'the disk is full' });
  });
});
