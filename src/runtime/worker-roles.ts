import { parentPort, workerData } from 'node:worker_threads';
import { Moved } from '../kernel/worker.ts';

/** Function that a worker runs for each request. Request and reply are plain data; {@link Moved} moves memory. */
export type Work = (request: unknown) => Promise<unknown>;

/** Worker functions by role. Each is loaded when its worker starts. */
export type Roles = Readonly<Record<string, () => Promise<Work>>>;

/** Reply to the request with this id. */
export type WorkerReply =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: unknown };

/** Marks a worker as one of ours: a test runner has workers of its own. */
export const roleKey = 'graphwarden role';

/**
 * Starts to answer requests if this thread is a worker of graphwarden, and returns whether it is. The entry file calls
 * it first.
 */
export async function serveAsWorker(roles: Roles): Promise<boolean> {
  const role: unknown = workerData?.[roleKey];
  const port = parentPort;
  if (typeof role !== 'string' || port === null) return false;
  const load = roles[role];
  if (load === undefined) throw new Error(`unknown worker '${role}'`);
  const work = await load();
  port.on('message', ({ id, request }: { readonly id: number; readonly request: unknown }) => {
    void answerRequest(id, () => work(request)).then(({ reply, moved }) => port.postMessage(reply, [...moved]));
  });
  return true;
}

interface SentReply {
  readonly reply: WorkerReply;
  readonly moved: readonly ArrayBuffer[];
}

async function answerRequest(id: number, work: () => Promise<unknown>): Promise<SentReply> {
  try {
    const value = await work();
    return value instanceof Moved
      ? { reply: { id, value: value.value }, moved: value.memory }
      : { reply: { id, value }, moved: [] };
  } catch (error) {
    return { reply: { id, error }, moved: [] };
  }
}
