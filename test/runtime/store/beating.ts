import { setTimeout as pause } from 'node:timers/promises';
import { openStore } from '../../../src/runtime/store/open-store.ts';
import { workerThread } from '../../../src/runtime/worker-thread.ts';
import { note } from './notes.ts';
import { generous } from './retention.ts';

/**
 * A program that has something else to do every 5 ms while it commits. Arguments: the folder, and how many commits. It
 * says how long the commits took, and by how much its beats were late (ms, the latest last).
 */
const [folder = '', count = '4'] = process.argv.slice(2);
const opened = await openStore(() => workerThread(new URL('./threads.ts', import.meta.url), 'state'))({
  folder,
  retention: generous,
});
if (!opened.ok) throw new Error(opened.error.message);
const commits: number[] = [];
const late: number[] = [];
const over = new AbortController();

async function beat(): Promise<void> {
  while (!over.signal.aborted) {
    const start = performance.now();
    await pause(5);
    late.push(performance.now() - start - 5);
  }
}

const beats = beat();
for (let place = 0; place < Number(count); place += 1) {
  const start = performance.now();
  await opened.value.commit([note(String(place), 'x')]);
  commits.push(performance.now() - start);
}
over.abort();
await beats;
process.stdout.write(JSON.stringify({ commits, late: late.toSorted((a, b) => a - b) }));
process.exit(0);
