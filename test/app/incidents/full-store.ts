import { err } from '../../../src/kernel/result.ts';
import type { Store } from '../../../src/kernel/store.ts';
import { memoryStore } from '../../../src/runtime/store/local-store.ts';

/** A store that keeps nothing. */
export function fullStore(): Store {
  const real = memoryStore();
  return { ...real, find: real.find.bind(real), count: real.count.bind(real), commit: diskFull };
}

async function diskFull() {
  return err('the disk is full');
}
