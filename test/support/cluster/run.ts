import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findTool, requireTool } from '../tools.ts';

/**
 * Runs the cluster tests in separate namespaces. If a requirement is missing, prints it and skips the tests; with `CI=true`
 * it fails instead.
 */
const tools = [
  'crds',
  'crun',
  'etcd',
  'helm',
  'helm-render',
  'helm3',
  'ip',
  'iptables-restore',
  'kubernetes',
  'kustomize',
  'nsenter',
  'openssl',
  'postgres',
  'unshare',
];
const isolation = ['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];
const more = process.argv.slice(2);

function hasAll(): boolean {
  if (tools.map((tool) => findTool(tool)).includes(undefined)) return false;
  const { status } = spawnSync(requireTool('unshare'), [...isolation, 'true'], { stdio: 'ignore' });
  if (status === 0) return true;
  const sentence = 'a cluster takes root and the right to make namespaces';
  if (process.env.CI === 'true') throw new Error(sentence);
  process.stderr.write(`${sentence}: its tests are skipped\n`);
  return false;
}

if (hasAll()) {
  const folder = mkdtempSync(join(tmpdir(), 'cluster-'));
  const vitest = join(import.meta.dirname, '..', '..', '..', 'node_modules', 'vitest', 'vitest.mjs');
  const args = [process.execPath, vitest, 'run', '--config', 'vitest.cluster.config.ts', ...more];
  const env = { ...process.env, TEST_CLUSTER: folder };
  const { status } = spawnSync(requireTool('unshare'), [...isolation, ...args], { stdio: 'inherit', env });
  if (process.env.TEST_CLUSTER_KEEP === undefined) rmSync(folder, { recursive: true, force: true });
  process.exitCode = status ?? 1;
}
