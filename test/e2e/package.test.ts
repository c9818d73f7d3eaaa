import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyCheckout } from '../support/checkout.ts';
import { eventually, startChild } from '../support/child.ts';
import { readExposition } from '../support/exposition.ts';
import { endingScript, guideBlocks, runIsolated } from '../support/guide.ts';
import { send } from '../support/http.ts';
import { findTool, requireTool } from '../support/tools.ts';

const megabyte = 1_000_000;
const isRoot = process.getuid?.() === 0;

describe.skipIf(findTool('npm') === undefined)('the npm package', () => {
  let folder: string;
  let checkout: string;
  let home: string;

  /** Environment of npm with an empty cache, without a registry and without the settings of this project. */
  function npmEnv(prefix: string): NodeJS.ProcessEnv {
    const PATH = `${join(prefix, 'bin')}:${process.env.PATH}`;
    return { PATH, HOME: folder, CI: 'true', npm_config_offline: 'true', npm_config_prefix: prefix };
  }

  function npm(args: readonly string[], cwd: string): string {
    return execFileSync(requireTool('npm'), args, {
      cwd,
      env: npmEnv(folder),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  async function tarball(): Promise<string> {
    const [name = 'none'] = (await readdir(checkout)).filter((file) => file.endsWith('.tgz'));
    return join(checkout, name);
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'graphwarden-package-'));
    checkout = await copyCheckout(join(folder, 'checkout'));
    npm(['pack'], checkout);
    home = join(folder, 'empty');
    await mkdir(home);
    npm(['install', await tarball()], home);
  }, 400_000);

  afterAll(() => rm(folder, { recursive: true }));

  it('is small', async () => {
    const { size } = await stat(await tarball());
    process.stdout.write(`the package has ${(size / megabyte).toFixed(2)} MB\n`);
    expect(size).toBeLessThan(3 * megabyte);
  });

  it('leaves the manifest of the checkout as it was', async () => {
    expect(await readFile(join(checkout, 'package.json'), 'utf8')).toBe(await readFile('package.json', 'utf8'));
  });

  it('installs itself alone: no dependency, and no Node for those who have one', async () => {
    const packages = (await readdir(join(home, 'node_modules'))).filter((name) => !name.startsWith('.'));
    expect(packages).toEqual(['graphwarden']);
  });

  it('the package contains the program, its bill of materials, its licences and its launcher, and no source', async () => {
    const root = join(home, 'node_modules', 'graphwarden');
    const files = await readdir(root, { recursive: true });
    expect(files).toEqual(
      expect.arrayContaining([
        'LICENSE',
        'README.md',
        'bin/graphwarden.mjs',
        'config/graphwarden.example.yml',
        'dashboards/cluster.json',
        'dashboards/rules/graphwarden.alerts.yaml',
        'dist/THIRD-PARTY-NOTICES.txt',
        'dist/chunks/daemon.mjs',
        'dist/graphwarden-page.json',
        'dist/graphwarden.cdx.json',
        'dist/graphwarden.mjs',
        'docs/install.md',
        'examples/packaging/graphwarden.service',
      ]),
    );
    expect(files.filter((file) => file.endsWith('.ts') || /^(?:src|test|build)/.test(file))).toEqual([]);
  });

  it('the manifest describes the package, with a link to its source', async () => {
    const root = join(home, 'node_modules', 'graphwarden');
    expect(await readFile(join(root, 'README.md'), 'utf8')).not.toMatch(/npm ci|checkout/);
    expect(JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))).toMatchObject({
      repository: { type: 'git', url: 'git+https://github.com/graphwarden/graphwarden.git' },
    });
  });

  it('answers to its name, in the version that was packed', async () => {
    const { version } = JSON.parse(await readFile('package.json', 'utf8'));
    const said = execFileSync(requireTool('npx'), ['--no-install', 'graphwarden', '--version'], {
      cwd: home,
      env: { PATH: process.env.PATH, HOME: folder },
      encoding: 'utf8',
    });
    expect(said.startsWith(`graphwarden ${version} (commit `)).toBe(true);
  });

  it.skipIf(!isRoot).each([
    ['docs/install.md', 'npm package'],
    ['README.md', 'Monitor your own cluster'],
  ])('is installed and tried by the commands of its %s, section %s', async (file, section) => {
    const [commands = 'false', ...others] = guideBlocks(join(home, 'node_modules', 'graphwarden', file), section);
    expect(others).toEqual([]);
    const cwd = await mkdtemp(join(folder, 'guide-'));
    await copyFile(await tarball(), join(cwd, 'graphwarden-1.0.0.tgz'));
    const said = runIsolated(endingScript(commands), { cwd, env: npmEnv(cwd) });
    expect(said).toContain('graphwarden.yml written');
    expect(said).toContain('"msg":"listening"');
  });

  it.skipIf(!isRoot)('is tried by the command of its README', () => {
    const [command = 'false', ...others] = guideBlocks(
      join(home, 'node_modules', 'graphwarden', 'README.md'),
      'Try it',
    );
    expect(others).toEqual([]);
    expect(runIsolated(endingScript(command), { cwd: home, env: npmEnv(home) })).toContain('http://127.0.0.1:9916/');
  });

  it.skipIf(!isRoot)('starts the demo by the command of the README of the checkout', () => {
    const [command = 'false'] = guideBlocks('README.md', 'Quick start in a checkout');
    // CI runs npm ci, which requires a registry.
    const start = command.replace(/^npm ci && /, 'until_ready ');
    expect(runIsolated(start, { cwd: checkout, env: npmEnv(folder) })).toContain('http://127.0.0.1:9916/');
  });

  it('runs the demo in an empty folder', async () => {
    const program = join(home, 'node_modules', '.bin', 'graphwarden');
    const child = startChild(program, ['demo', '--listen', '127.0.0.1:0'], {
      cwd: home,
      env: { PATH: process.env.PATH },
    });
    try {
      const url = await eventually('the demo prints its address', () =>
        Promise.resolve(/(http:\/\/127\.0\.0\.1:\d+)\/metrics/.exec(child.stdout())?.[1]),
      );
      await eventually('three nodes are up', async () => {
        const { text } = await send(`${url}/metrics`);
        const samples = readExposition(text, 'text').get('graphdb_up')?.samples ?? [];
        return samples.filter(({ value }) => value === 1).length === 3;
      });
    } finally {
      expect(await child.stop()).toBe(0);
    }
  });
});
