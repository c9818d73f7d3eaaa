import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findTool, requireTool } from '../support/tools.ts';

/** buildah with a store of its own in a folder, so that a test leaves nothing behind. */
export interface Builder {
  readonly env: NodeJS.ProcessEnv;
  /** Runs buildah and gives what it printed. */
  readonly buildah: (...args: readonly string[]) => string;
}

const tools = ['buildah', 'mmdebstrap', 'nsenter', 'npm', 'setpriv', 'unshare'];

/**
 * Whether images can be built and run here: the tools are there, and we are root and may have namespaces. Says in one
 * sentence what is missing; with `CI=true` it throws instead, like `findTool`.
 */
export function canBuildImages(): boolean {
  const missing = tools.filter((tool) => findTool(tool) === undefined);
  if (missing.length > 0) return false;
  const { status } = spawnSync(requireTool('unshare'), ['--mount', '--pid', '--fork', 'true'], { stdio: 'ignore' });
  if (process.getuid?.() === 0 && status === 0) return true;
  const sentence = 'building an image takes root and the right to make namespaces';
  if (process.env.CI === 'true') throw new Error(sentence);
  process.stderr.write(`${sentence}: the tests that need it are skipped\n`);
  return false;
}

/** Opens a store in `folder`. Copies instead of overlays and chroot instead of runc work inside of containers too. */
export function openBuilder(folder: string): Builder {
  const settings = join(folder, 'storage.conf');
  const storage = `graphroot = "${join(folder, 'store')}"\nrunroot = "${join(folder, 'run')}"\n`;
  writeFileSync(settings, `[storage]\ndriver = "vfs"\n${storage}`);
  const buildah = requireTool('buildah');
  const env = { ...process.env, CONTAINERS_STORAGE_CONF: settings, BUILDAH_ISOLATION: 'chroot' };
  return {
    env,
    buildah: (...args) =>
      execFileSync(buildah, args, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim(),
  };
}
