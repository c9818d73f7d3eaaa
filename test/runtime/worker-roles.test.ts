import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { serveAsWorker } from '../../src/runtime/worker-roles.ts';

it('a worker role does not match the main thread', async () => {
  expect(await serveAsWorker({ echo: async () => async (request) => request })).toBe(false);
});

it('a worker role does not match a worker of another program', async () => {
  const source = new URL('../../src/runtime/worker-roles.ts', import.meta.url);
  const program = `
    import('${source.href}').then(async ({ serveAsWorker }) =>
      require('node:worker_threads').parentPort.postMessage(await serveAsWorker({})));`;
  const worker = new Worker(program, { eval: true, workerData: { role: 'echo' } });
  expect(await new Promise((resolve) => worker.once('message', resolve))).toBe(false);
});
