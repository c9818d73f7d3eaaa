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
  it('answers each question with its answer', async () => {
    const { ask } = worker('echo');
    const answers = await Promise.all([1, 'two', [3], undefined].map((question) => ask(question)));
    expect(answers).toEqual([{ echoed: 1 }, { echoed: 'two' }, { echoed: [3] }, { echoed: undefined }]);
  });

  it('hands back what the work threw, and goes on', async () => {
    const { ask } = worker('broken');
    await expect(ask('this')).rejects.toThrow(new TypeError('cannot do this'));
    await expect(ask('that')).rejects.toThrow('cannot do that');
  });

  it('moves the memory of its answer', async () => {
    expect(await worker('moved').ask(1)).toEqual({ bytes: new Uint8Array(3) });
  });

  it.each([
    ['deadly', /exited before it replied/],
    ['unsendable', undefined],
    ['unloadable', /the module is missing/],
    ['nameless', /unknown worker 'nameless'/],
  ])('that fails (%s) rejects all pending requests and restarts', async (role, complaint) => {
    const { ask } = worker(role);
    await Promise.all([expect(ask(1)).rejects.toThrow(), expect(ask(2)).rejects.toThrow()]);
    await expect(ask(3)).rejects.toThrow(complaint);
  });

  it('that exceeds its memory limit rejects the request, and the process goes on', async () => {
    const thread = workerThread(entry, 'hungry', { maxOldGenerationSizeMb: 16 });
    onTestFinished(() => thread.stop());
    await expect(thread.ask(1)).rejects.toThrow('memory limit');
  });

  it('takes over transferred memory', async () => {
    const bytes = new Uint8Array([1, 2, 3]);
    expect(await worker('echo').ask(bytes, [bytes.buffer])).toEqual({ echoed: new Uint8Array([1, 2, 3]) });
    expect(bytes.length).toBe(0);
  });

  it('refuses what cannot be sent', async () => {
    const { ask } = worker('echo');
    await expect(ask(() => 0)).rejects.toThrow('could not be cloned');
    expect(await ask(1)).toEqual({ echoed: 1 });
  });

  it('ends in the midst of its work, and for good', async () => {
    const { ask, stop } = worker('endless');
    const answer = expect(ask(1)).rejects.toThrow("the worker 'endless' exited before it replied");
    await stop();
    await answer;
    await expect(ask(2)).rejects.toThrow("the worker 'endless' is stopped");
    await stop();
  });

  it('that was never asked has nothing to end', async () => {
    await workerThread(new URL('file:///nowhere.ts'), 'echo').stop();
  });

  it('keeps a process alive until it answered, and no longer', async () => {
    const source = new URL('../../src/runtime/worker-thread.ts', import.meta.url);
    const program = `
      import { workerThread } from '${source.href}';
      await workerThread(new URL('${entry.href}'), 'echo').ask(1);
      process.stdout.write('answered');`;
    const child = startChild(process.execPath, ['--input-type=module', '--eval', program]);
    expect(await child.ended).toBe(0);
    expect(child.stdout()).toBe('answered');
  });
});
