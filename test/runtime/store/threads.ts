import { historyWork } from '../../../src/runtime/store/history-worker.ts';
import { stateWork } from '../../../src/runtime/store/state-worker.ts';
import { serveAsWorker } from '../../../src/runtime/worker-roles.ts';
import { noteTables } from './notes.ts';

/** The entry of a program that has nothing but a store of notes. */
await serveAsWorker({
  state: async () => stateWork({ steps: [noteTables], retryAfter: 50 }),
  history: async () => historyWork([]),
});
