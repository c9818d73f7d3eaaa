import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { renderRunbook } from './runbook.ts';

const root = join(import.meta.dirname, '..', '..');

/** File of the status page, next to the program. The daemon reads it when a browser first requests the page. */
const pageFile = 'graphwarden-page.json';

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

/**
 * Builds the status page from `page/`, and the runbook, into one JSON file in `folder`: the files, plain and compressed, and
 * the modules of packages in them. Returns the path and the size that a browser loads for the status page, in bytes.
 */
export async function buildStatusPage(folder: string): Promise<{ readonly path: string; readonly loaded: number }> {
  const built = await build({ configFile: join(root, 'page', 'vite.config.ts'), logLevel: 'warn' });
  if (!('output' in built)) throw new Error('vite returned no single build');
  const files = built.output.map((file) => {
    const text = file.type === 'chunk' ? file.code : Buffer.from(file.source).toString('utf8');
    return fileOf(file.fileName, text);
  });
  const stylesheet = files.find(({ name }) => name.endsWith('.css'))?.name ?? '';
  const runbook = fileOf('docs/runbook.html', renderRunbook(root, stylesheet));
  const modules = built.output
    .flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
    .map((id) => relative(root, id))
    .flatMap((id) => /node_modules\/.*/.exec(id)?.[0] ?? []);
  const path = join(folder, pageFile);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify({ files: [...files, runbook], modules }));
  return { path, loaded: files.reduce((sum, { gzip }) => sum + Buffer.from(gzip, 'base64').length, 0) };
}

function fileOf(name: string, text: string) {
  const type = types[name.split('.').at(-1) ?? ''];
  if (type === undefined) throw new Error(`${name} has no known media type`);
  return { name, type, text, gzip: gzipSync(text, { level: 9 }).toString('base64') };
}

if (import.meta.main) {
  const { path, loaded } = await buildStatusPage(join(root, 'dist'));
  process.stdout.write(`${path}: ${Math.round(loaded / 1024)} KiB compressed\n`);
}
