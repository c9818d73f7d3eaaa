import { compareSync } from 'bcryptjs';
import type { Work } from './worker-roles.ts';
import type { WorkerThread } from './worker-thread.ts';

/** Returns whether a password belongs to a bcrypt hash: some hundred milliseconds of work, or minutes at an extreme cost. */
export type ComparePassword = (password: string, hash: string) => Promise<boolean>;

/** Work of the password thread: compares the password and the hash of a request. */
export const passwordWork: Work = async (request) => {
  const [password, hash] = Array.isArray(request) ? request : [];
  return typeof password === 'string' && typeof hash === 'string' && compareSync(password, hash);
};

/** Returns a comparison that the password thread runs. */
export function comparePasswordsIn(worker: Pick<WorkerThread, 'request'>): ComparePassword {
  return async (password, hash) => (await worker.request([password, hash])) === true;
}
