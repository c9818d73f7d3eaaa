import { parentPort, workerData } from 'node:worker_threads';

/** What a worker does with a question: plain data in, plain data out. */
export type Work = (question: unknown) => Promise<unknown>;

/** What workers of this program there are; each loads its code when it begins. */
export type Roles = Readonly<Record<string, () => Promise<Work>>>;

/** How the question of this number ended. */
export type Reply = { readonly id: number; readonly value: unknown } | { readonly id: number; readonly error: unknown };

/** Marks a worker as one of ours: a test runner has workers of its own. */
export const roleKey = 'graphwarden role';

/** What the entry file asks first of all. True in a worker of ours, which from now on answers questions. */
export async function serveAsWorker(roles: Roles): Promise<boolean> {
  const role: unknown = workerData?.[roleKey];
  const port = parentPort;
  if (typeof role !== 'string' || port === null) return false;
  const load = roles[role];
  if (load === undefined) throw new Error(`unknown worker '${role}'`);
  const work = await load();
  port.on('message', ({ id, question }: { readonly id: number; readonly question: unknown }) => {
    void answerQuestion(id, () => work(question)).then((reply) => port.postMessage(reply));
  });
  return true;
}

async function answerQuestion(id: number, work: () => Promise<unknown>): Promise<Reply> {
  try {
    return { id, value: await work() };
  } catch (error) {
    return { id, error };
  }
}
