import type { KeptText } from '../../kernel/kept-text.ts';
import type { Store } from '../../kernel/store.ts';

const table = 'collector_memory';

/** Returns the stored text of a collector, with which it compares the first poll after a restart. */
export function collectorMemory(store: Store, cluster: string, collector: string): KeptText {
  return {
    async load() {
      const where = Object.entries({ cluster, collector }).map(
        ([column, value]) => ({ column, is: '=', value }) as const,
      );
      const found = await store.find({ table, columns: ['content'], where, limit: 1 });
      const content = found.ok ? found.value[0]?.content : undefined;
      return typeof content === 'string' ? content : undefined;
    },
    save: (content) => void store.commit([{ table, put: { cluster, collector, content } }]),
  };
}
