import { describe, expect, it } from 'vitest';
import { StateThread } from '../../../src/runtime/store/state-thread.ts';
import { BreakableThread } from './breakable-thread.ts';
import { generous } from './retention.ts';
import { temporaryStateDir } from './temporary-folder.ts';

const count = { kind: 'count', query: { table: 'notes' } } as const;

function open(folder = temporaryStateDir()): { readonly worker: BreakableThread; readonly thread: StateThread } {
  const worker = new BreakableThread();
  return { worker, thread: new StateThread(worker, { folder, retention: generous }) };
}

describe('the thread of the store', () => {
  it('opens once, before the first request', async () => {
    const { worker, thread } = open();
    expect(await thread.open()).toMatchObject({ status: { durable: true } });
    expect(await thread.request(count)).toMatchObject({ count: { ok: true, value: 0 } });
    await thread.stop();
    expect(worker).toMatchObject({ requests: ['open', 'count'], stopped: 1 });
  });

  it('is opened again after it broke', async () => {
    const { worker, thread } = open();
    await thread.open();
    worker.failNext(2);
    await expect(thread.request(count)).rejects.toThrow('it ran out of memory');
    await expect(thread.request(count)).rejects.toThrow('it ran out of memory');
    expect(await thread.request(count)).toMatchObject({ count: { ok: true, value: 0 } });
    expect(worker.requests).toEqual(['open', 'count', 'open', 'open', 'count']);
  });

  it('that restarts and finds another daemon in its folder reports it', async () => {
    const folder = temporaryStateDir();
    const { worker, thread } = open(folder);
    await thread.open();
    worker.failNext(1);
    await expect(thread.request(count)).rejects.toThrow();
    const other = open(folder).thread;
    await other.open();
    await expect(thread.request(count)).rejects.toThrow('another daemon uses the state directory');
    await other.request({ kind: 'close' });
    expect(await thread.request(count)).toMatchObject({ count: { ok: true } });
  });

  it('rejects a reply of another worker role', async () => {
    const worker = { request: async () => ({ echoed: 1 }), stop: async () => undefined };
    const thread = new StateThread(worker, { folder: temporaryStateDir(), retention: generous });
    await expect(thread.open()).rejects.toThrow('the thread of the store returned an unexpected reply');
  });
});
