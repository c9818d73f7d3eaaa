import { cp, mkdir, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/** Never copied: what is made from the rest, what is large, what is somebody's own. */
const left = new Set(['.git', 'coverage', 'dist', 'node_modules', 'state', 'test']);

/** A copy of the checkout, for what writes into it; the installed packages are lent to it. */
export async function copyCheckout(to: string): Promise<string> {
  const root = resolve(import.meta.dirname, '..', '..');
  await mkdir(to, { recursive: true });
  await cp(root, to, {
    recursive: true,
    filter: (path) => !left.has(path.slice(root.length + 1)) && !path.includes('/.bench') && !path.endsWith('.tgz'),
  });
  await symlink(join(root, 'node_modules'), join(to, 'node_modules'));
  return to;
}
