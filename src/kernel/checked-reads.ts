import type { Store } from './store.ts';

/** Reads of a store with the first error among them: without it, missing rows and a failed read look the same. */
export interface CheckedReads {
  readonly reads: Pick<Store, 'find'>;
  /** First error of a read; undefined if there was none. */
  readonly problem: () => string | undefined;
}

/** Returns the reads of a store, which record their errors. */
export function checkedReads(store: Pick<Store, 'find'>): CheckedReads {
  let problem: string | undefined;
  return {
    reads: {
      async find(query) {
        const found = await store.find(query);
        if (!found.ok) problem ??= found.error;
        return found;
      },
    },
    problem: () => problem,
  };
}
