import { execFile } from 'node:child_process';
import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

/** A protection against effects of a replica that does not own a cluster, and the change of the source that removes it. */
export interface Fence {
  readonly name: string;
  readonly about: string;
  readonly file: string;
  readonly text: string;
  readonly replacement: string;
}

/** Protections that the campaign can remove. */
export const fences: readonly Fence[] = [
  {
    name: 'commit',
    about: 'the transaction of a write checks the lease',
    file: 'src/runtime/postgres/commit-fence.ts',
    text: 'return missing === undefined ? ok(undefined) : err(notOwnedError(missing.cluster));',
    replacement: 'return ok(missing && undefined);',
  },
  {
    name: 'effect',
    about: 'an abort or a notification leaves only while the lease lasts',
    file: 'src/kernel/ownership.ts',
    text: 'if (!ownership.owns(cluster) || ownership.remaining(cluster) <= effectMargin) return false;',
    replacement: 'if (ownership.remaining(cluster) < 0) return false;',
  },
  {
    name: 'expiry',
    about: 'only a lease that has ended can be taken over',
    file: 'src/runtime/postgres/lease-statements.ts',
    text: 'OR lease.expires_at <= clock_timestamp())',
    replacement: "OR lease.renewed_at <= clock_timestamp() - interval '2 seconds')",
  },
  {
    name: 'renewal',
    about: 'a replica drops a cluster whose lease it could not renew',
    file: 'src/runtime/postgres/held-leases.ts',
    text: 'if (answered.get(cluster) === epoch)',
    replacement: 'if (answered.size >= 0)',
  },
];

const run = promisify(execFile);
const copiedPaths = ['src', 'page', 'tools', 'docs', 'package.json', 'tsconfig.json'];

/** Returns a source without a fence. Throws unless the source has its text exactly once. */
export function withoutFence(source: string, { name, file, text, replacement }: Fence): string {
  const parts = source.split(text);
  const [before, after] = parts;
  if (parts.length !== 2 || before === undefined || after === undefined)
    throw new Error(`${file}: has the text of the fence '${name}' ${parts.length - 1} times`);
  return before + replacement + after;
}

/** Builds the program, without these fences; returns its path. The project itself is not changed. */
export async function buildProgram(folder: string, removed: readonly Fence[]): Promise<string> {
  const entry = join(folder, 'graphwarden.mjs');
  let project = '.';
  if (removed.length > 0) {
    project = join(folder, 'project');
    for (const part of copiedPaths) await cp(part, join(project, part), { recursive: true });
    await symlink(resolve('node_modules'), join(project, 'node_modules'));
    for (const fence of removed) {
      const path = join(project, fence.file);
      await writeFile(path, withoutFence(await readFile(path, 'utf8'), fence));
    }
  }
  await run(process.execPath, ['tools/build/bundle.ts', entry], { cwd: project });
  return entry;
}
