import { setTimeout as pause } from 'node:timers/promises';
import { openStore } from '../../../src/runtime/store/thread-store.ts';
import { workerThread } from '../../../src/runtime/worker-thread.ts';
import { note } from './notes.ts';
import { generous } from './retention.ts';

/**
 * Program that writes notes without end and prints one line for each: its number, and `ok` or the error. Arguments: the
 * folder, the notes per batch, the characters of a note, the pause after each (ms).
 */
const [folder = '', connections = '1', notifications = '1', length = '0'] = process.argv.slice(2);
const opened = await openStore((role) => workerThread(new URL('./threads.ts', import.meta.url), role))({
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
    const outcome = await store.commit([note(String(number), 'x'.repeat(Number(notifications)), number)]);
    process.stdout.write(`${number} ${outcome.ok ? 'ok' : outcome.error}\n`);
    if (length !== '0') await pause(Number(length));
  }
}

await Promise.all(Array.from({ length: Number(connections) }, write));
