import { describe, expect, it, onTestFinished } from 'vitest';
import { type WorkerThread, workerThread } from '../../src/runtime/worker-thread.ts';
import { startChild } from '../support/child.ts';

const entry = new URL('./workers.ts', import.meta.url);

function worker(role: string): WorkerThread {
  const thread = workerThread(entry, role);
  onTestFinished(() => thread.stop());
  return thread;
}

describe('a worker', () => {
  it('replies to each request', async () => {
    const { request } = worker('echo');
    const answers = await Promise.all([1, 'two', [3], undefined].map((value) => request(value)));
    expect(answers).toEqual([{ echoed: 1 }, { echoed: 'two' }, { echoed: [3] }, { echoed: undefined }]);
  });

  it('rejects with the error that the work threw, and accepts further requests', async () => {
    const { request } = worker('broken');
    await expect(request('this')).rejects.toThrow(new TypeError('cannot do this'));
    await expect(request('that')).rejects.toThrow('cannot do that');
  });

  it('transfers the memory of its reply', async () => {
    expect(await worker('moved').request(1)).toEqual({ bytes: new Uint8Array(3) });
  });

  it.each([
    ['deadly', /exited before it replied/],
    ['unsendable', undefined],
    ['unloadable', /the module is missing/],
    ['nameless', /unknown worker 'nameless'/],
  ])('that fails (%s) rejects all pending requests and restarts', async (role, complaint) => {
    const { request } = worker(role);
    await Promise.all([expect(request(1)).rejects.toThrow(), expect(request(2)).rejects.toThrow()]);
    await expect(request(3)).rejects.toThrow(complaint);
  });

  it('that exceeds its memory limit rejects the request, and the process continues', async () => {
    const thread = workerThread(entry, 'hungry', { maxOldGenerationSizeMb: 16 });
    onTestFinished(() => thread.stop());
    await expect(thread.request(1)).rejects.toThrow('memory limit');
  });

  it('receives transferred memory', async () => {
    const bytes = new Uint8Array([1, 2, 3]);
    expect(await worker('echo').request(bytes, [bytes.buffer])).toEqual({ echoed: new Uint8Array([1, 2, 3]) });
    expect(bytes.length).toBe(0);
  });

  it('rejects a request that cannot be cloned', async () => {
    const { request } = worker('echo');
    await expect(request(() => 0)).rejects.toThrow('could not be cloned');
    expect(await request(1)).toEqual({ echoed: 1 });
  });

  it('stops during work, and permanently', async () => {
    const { request, stop } = worker('endless');
    const answer = expect(request(1)).rejects.toThrow("the worker 'endless' exited before it replied");
    await stop();
    await answer;
    await expect(request(2)).rejects.toThrow("the worker 'endless' is stopped");
    await stop();
  });

  it('stops without a thread before the first request', async () => {
    await workerThread(new URL('file:///nowhere.ts'), 'echo').stop();
  });

  it('keeps the process alive only until its reply', async () => {
    const source = new URL('../../src/runtime/worker-thread.ts', import.meta.url);
    const program = `
      import { workerThread } from '${source.href}';
      await workerThread(new URL('${entry.href}'), 'echo').request(1);
      process.stdout.write('answered');`;
    const child = startChild(process.execPath, ['--input-type=module', '--eval', program]);
    expect(await child.ended).toBe(0);
    expect(child.stdout()).toBe('answered');
  });
});
