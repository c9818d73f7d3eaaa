import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AtEnd } from './live-ports.ts';

/** Mount points of the memory controller with the file of the limit, for versions 1 and 2 of control groups. */
const hierarchies = [
  ['/sys/fs/cgroup/memory', 'memory.limit_in_bytes'],
  ['/sys/fs/cgroup', 'memory.max'],
] as const;

/**
 * Creates a control group with a memory limit in bytes, which is removed at the end. Returns the file to which the process ids
 * of the group are written; undefined if this user may not create a group.
 */
export function createMemoryGroup(bytes: number, atEnd: AtEnd): string | undefined {
  for (const [root, limit] of hierarchies) {
    const folder = join(root, `graphwarden-test-${process.pid}`);
    try {
      mkdirSync(folder);
    } catch {
      continue;
    }
    const isLimited = existsSync(join(folder, limit));
    if (isLimited) writeFileSync(join(folder, limit), String(bytes));
    else rmdirSync(folder);
    if (!isLimited) continue;
    atEnd(async () => rmdirSync(folder));
    return join(folder, 'cgroup.procs');
  }
  return undefined;
}
