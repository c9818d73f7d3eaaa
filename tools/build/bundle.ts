import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { build } from 'rolldown';
import { programFiles } from './program-files.ts';
import { smallerModules } from './smaller-modules.ts';
import { buildStatusPage } from './status-page.ts';

/** Path of the bundle: the argument, or the path in the published package. */
const output = process.argv[2] ?? 'dist/graphwarden.mjs';

/** Returns the bundled commit from the environment or git; `unknown` in a source archive. */
function commit(): string {
  if (process.env.GRAPHWARDEN_COMMIT !== undefined) return process.env.GRAPHWARDEN_COMMIT;
  try {
    return execFileSync('git', ['rev-parse', '--short=12', 'HEAD'], { encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return 'unknown';
  }
}

/** Returns comments with the packages of a chunk for the list of shipped packages, because minified code does not name modules. */
function packageComments(moduleIds: readonly string[]): string {
  const packages = moduleIds.flatMap((id) => /node_modules\/(?:.*\/)?(?:@[^/]+\/)?[^/]+\//.exec(id)?.[0] ?? []);
  return [...new Set(packages)].map((path) => `\n//#region ${path}`).join('');
}

// A single file would be in the memory of each process and each thread as a whole, even if only a part is used.
rmSync(join(dirname(output), 'chunks'), { recursive: true, force: true });
const { output: built } = await build({
  platform: 'node',
  plugins: [smallerModules],
  transform: { target: 'node24', define: { 'process.env.GRAPHWARDEN_COMMIT': JSON.stringify(commit()) } },
  input: 'src/main.ts',
  output: {
    format: 'esm',
    // The engine keeps the text of each chunk, at two bytes per character if one of them is not Latin-1. Names are kept,
    // so that stack traces can be read.
    minify: {
      compress: false,
      mangle: { toplevel: true, keepNames: true },
      codegen: { removeWhitespace: true, asciiOnly: true },
    },
    charset: 'ascii',
    comments: false,
    dir: dirname(output),
    entryFileNames: basename(output),
    chunkFileNames: 'chunks/[name].mjs',
    banner: ({ isEntry }) => (isEntry ? '#!/usr/bin/env node' : ''),
  },
});
for (const chunk of built)
  if (chunk.type === 'chunk') appendFileSync(join(dirname(output), chunk.fileName), packageComments(chunk.moduleIds));
chmodSync(output, 0o755);
const page = await buildStatusPage(dirname(output));
const files = [...programFiles(output), page.path];
const size = files.reduce((sum, file) => sum + statSync(file).size, 0);
process.stdout.write(`${output}: ${files.length} files, ${Math.round(size / 1024)} KiB, commit ${commit()}\n`);
