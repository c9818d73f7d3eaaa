import { Moved } from '../../src/kernel/worker.ts';
import { serveAsWorker } from '../../src/runtime/worker-roles.ts';

/** The entry of a program that has nothing but workers: what main.ts is to the real one. */
await serveAsWorker({
  echo: async () => async (request) => ({ echoed: request }),
  moved: async () => async () => {
    const memory = new ArrayBuffer(3);
    return new Moved({ bytes: new Uint8Array(memory) }, [memory]);
  },
  broken: async () => async (request) => {
    throw new TypeError(`cannot do ${String(request)}`);
  },
  deadly: async () => async () => process.exit(3),
  endless: async () => async () => {
    for (;;);
  },
  hungry: async () => async () => {
    const kept: string[][] = [];
    for (;;) kept.push(Array.from({ length: 100_000 }, (_, at) => `text ${at}`));
  },
  // A function cannot be sent: that is a bug of the work, and must not leave its asker waiting.
  unsendable: async () => async () => () => 0,
  unloadable: async () => {
    throw new Error('the module is missing');
  },
});
