import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { serveAsWorker } from '../../src/runtime/worker-roles.ts';

it('is nothing that a test runner, or the program itself, is taken for', async () => {
  expect(await serveAsWorker({ echo: async () => async (question) => question })).toBe(false);
});

it('is nothing that a worker of somebody else is taken for', async () => {
  const source = new URL('../../src/runtime/worker-roles.ts', import.meta.url);
  const program = `
    import('${source.href}').then(async ({ serveAsWorker }) =>
      require('node:worker_threads').parentPort.postMessage(await serveAsWorker({})));`;
  const worker = new Worker(program, { eval: true, workerData: { role: 'echo' } });
  expect(await new Promise((resolve) => worker.once('message', resolve))).toBe(false);
});
