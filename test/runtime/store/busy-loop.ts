import { setTimeout as pause } from 'node:timers/promises';
import { openStore } from '../../../src/runtime/store/thread-store.ts';
import { workerThread } from '../../../src/runtime/worker-thread.ts';
import { note } from './notes.ts';
import { generous } from './retention.ts';

/**
 * A program that has something else to do every 5 ms while it commits. Arguments: the folder, and how many commits. It
 * says how long the commits took (ms), and how often it did the other thing during each of them.
 */
const [folder = '', count = '4'] = process.argv.slice(2);
const opened = await openStore((role) => workerThread(new URL('./threads.ts', import.meta.url), role))({
  folder,
  retention: generous,
});
if (!opened.ok) throw new Error(opened.error.message);
const commits: number[] = [];
const during: number[] = [];
let cycles = 0;
const over = new AbortController();

async function cycle(): Promise<void> {
  while (!over.signal.aborted) {
    await pause(5);
    cycles += 1;
  }
}

const beating = cycle();
for (let index = 0; index < Number(count); index += 1) {
  const [start, before] = [performance.now(), cycles];
  await opened.value.commit([note(String(index), 'x')]);
  commits.push(performance.now() - start);
  during.push(cycles - before);
}
over.abort();
await beating;
process.stdout.write(JSON.stringify({ commits, during }));
process.exit(0);
