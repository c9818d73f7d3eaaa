import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { programFiles } from './program-files.ts';

const postject = fileURLToPath(import.meta.resolve('postject/dist/cli.js'));
const loader = join(import.meta.dirname, 'executable-loader.cjs');
/** Marker in the executable of Node, defined by Node, that is changed when an application is embedded. */
const sentinelFuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

/** The Node that an executable contains. */
export interface EmbeddedNode {
  readonly path: string;
  /** The `strip` that reads the files of its architecture. */
  readonly strip: string;
}

const thisNode: EmbeddedNode = { path: process.execPath, strip: 'strip' };

/**
 * Builds a single executable application: a copy of a Node, by default of the one that runs this, with the files of the
 * bundle `entry` inside. It runs on machines of the architecture of that Node, whose version is the one that runs this.
 * Requires `strip`, because the symbols of Node take a tenth of its size.
 */
export function buildExecutable(entry: string, output: string, embedded: EmbeddedNode = thisNode): void {
  const folder = mkdtempSync(join(tmpdir(), 'graphwarden-executable-'));
  try {
    const blob = createApplication(entry, folder);
    const node = join(folder, 'node');
    copyFileSync(embedded.path, node);
    chmodSync(node, 0o755);
    execFileSync(embedded.strip, [node]);
    const what = [node, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', sentinelFuse];
    // postject warns about section names that Node also has without strip.
    execFileSync(process.execPath, [postject, ...what], { stdio: 'pipe' });
    // Copied next to the output and renamed there, because the output may be on another file system.
    copyFileSync(node, `${output}.new`);
    renameSync(`${output}.new`, output);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Writes the application to `folder`, in the form in which Node embeds it, and returns its path. */
function createApplication(entry: string, folder: string): string {
  const home = dirname(resolve(entry));
  const files = [...programFiles(resolve(entry)), join(home, 'graphwarden-page.json')];
  const config = join(folder, 'config.json');
  const output = join(folder, 'application');
  const assets = Object.fromEntries(files.map((file) => [relative(home, file), file]));
  writeFileSync(
    config,
    JSON.stringify({
      main: loader,
      output,
      disableExperimentalSEAWarning: true,
      assets: { ...assets, 'executable-loader.cjs': loader },
    }),
  );
  execFileSync(process.execPath, ['--experimental-sea-config', config], { stdio: 'pipe' });
  return output;
}

if (import.meta.main) {
  const [entry = 'dist/graphwarden.mjs', output = 'dist/graphwarden'] = process.argv.slice(2);
  buildExecutable(entry, output);
  process.stdout.write(`${output}: ${(statSync(output).size / 1_000_000).toFixed(1)} MB\n`);
}
