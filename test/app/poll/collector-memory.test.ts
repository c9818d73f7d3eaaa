import { expect, it } from 'vitest';
import { collectorMemory } from '../../../src/app/poll/collector-memory.ts';
import { memoryStore } from '../../../src/runtime/store/local-store.ts';

it('the text of a collector is that of its cluster, and the one that was saved last', async () => {
  const store = memoryStore();
  const memory = collectorMemory(store, 'prod', 'users');
  expect(await memory.load()).toBeUndefined();
  memory.save('one');
  memory.save('two');
  collectorMemory(store, 'other', 'users').save('three');
  expect(await memory.load()).toBe('two');
  expect(await collectorMemory(store, 'prod', 'scim').load()).toBeUndefined();
});
