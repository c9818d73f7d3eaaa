import { cp, mkdir, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/** What is needed to build from, and to pack. Named one by one: other tests write into the checkout meanwhile. */
const files = ['CHANGELOG.md', 'LICENSE', 'README.md', 'package-lock.json', 'package.json', 'tsconfig.json'];
const folders = ['bin', 'config', 'dashboards', 'docs', 'examples', 'page', 'src', 'tools'];

/** A copy of the checkout, for what writes into it; the installed packages are lent to it. */
export async function copyCheckout(to: string): Promise<string> {
  const root = resolve(import.meta.dirname, '..', '..');
  await mkdir(to, { recursive: true });
  for (const name of [...files, ...folders]) await cp(join(root, name), join(to, name), { recursive: true });
  await symlink(join(root, 'node_modules'), join(to, 'node_modules'));
  return to;
}
