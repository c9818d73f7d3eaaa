import { cp, mkdir, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/** Files that a build and a pack need. They are listed, because other tests write to the checkout at the same time. */
const files = ['CHANGELOG.md', 'LICENSE', 'README.md', 'package-lock.json', 'package.json', 'tsconfig.json'];
const folders = ['bin', 'config', 'dashboards', 'docs', 'examples', 'page', 'src', 'tools'];

/** Copies the checkout to a folder for a test that writes to it. The installed packages are linked and not copied. */
export async function copyCheckout(to: string): Promise<string> {
  const root = resolve(import.meta.dirname, '..', '..');
  await mkdir(to, { recursive: true });
  for (const name of [...files, ...folders]) await cp(join(root, name), join(to, name), { recursive: true });
  await symlink(join(root, 'node_modules'), join(to, 'node_modules'));
  return to;
}
