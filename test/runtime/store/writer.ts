import { setTimeout as pause } from 'node:timers/promises';
import { openStore } from '../../../src/runtime/store/open-store.ts';
import { workerThread } from '../../../src/runtime/worker-thread.ts';
import { note } from './notes.ts';
import { generous } from './retention.ts';

/**
 * A program that writes notes without end and says of each what became of it, on a line of its own: its number, and
 * `ok` or the trouble. Arguments: the folder, how many at a time, the letters of a note, the pause after each (ms).
 */
const [folder = '', lanes = '1', letters = '1', length = '0'] = process.argv.slice(2);
const opened = await openStore(() => workerThread(new URL('./threads.ts', import.meta.url), 'state'))({
  folder,
  retention: generous,
});
if (!opened.ok) throw new Error(opened.error.message);
const store = opened.value;
const found = await store.count({ table: 'notes' });
process.stdout.write(`found ${found.ok ? found.value : found.error}\n`);
let last = 0;

async function write(): Promise<never> {
  for (;;) {
    last += 1;
    const number = last;
    const outcome = await store.commit([note(String(number), 'x'.repeat(Number(letters)), number)]);
    process.stdout.write(`${number} ${outcome.ok ? 'ok' : outcome.error}\n`);
    if (length !== '0') await pause(Number(length));
  }
}

await Promise.all(Array.from({ length: Number(lanes) }, write));
