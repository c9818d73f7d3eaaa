import { execFileSync } from 'node:child_process';
import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import { z } from 'zod';
import { migrations } from '../../src/runtime/store/migrations.ts';
import { checkDatabaseFile } from '../../src/runtime/store/state-check.ts';
import { billOfMaterials } from '../../tools/build/sbom.ts';
import { shippedCode, shippedPackages } from '../../tools/build/shipped-packages.ts';
import { eventually } from '../support/child.ts';
import { readExposition } from '../support/exposition.ts';
import { freePort } from '../support/free-port.ts';
import { send } from '../support/http.ts';
import { startTcp } from '../support/tcp-server.ts';
import { findTool, requireTool } from '../support/tools.ts';
import { bases, openBuilderWithBases } from './bases.ts';
import { type Builder, canBuildImages } from './builder.ts';
import { type Container, startContainer } from './container.ts';
import { runContainerGuides } from './guide.ts';

const megabyte = 1_000_000;
const product = z
  .object({ name: z.string(), version: z.string(), license: z.string() })
  .parse(await readJson('package.json'));
const settings = z.object({
  User: z.string(),
  Entrypoint: z.array(z.string()),
  Cmd: z.array(z.string()),
  Healthcheck: z.object({ Test: z.array(z.string()) }),
  StopSignal: z.string(),
  WorkingDir: z.string(),
  ExposedPorts: z.record(z.string(), z.unknown()),
  Labels: z.record(z.string(), z.string()),
});

describe.skipIf(!canBuildImages())('the image', () => {
  let folder: string;
  let builder: Builder;
  let root: string;
  let base: string;
  let config: z.infer<typeof settings>;

  const mount = (image: string): string => builder.buildah('mount', builder.buildah('from', '--pull-never', image));

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'graphwarden-image-'));
    builder = await openBuilderWithBases(folder);
    const cache = execFileSync(requireTool('npm'), ['config', 'get', 'cache'], { encoding: 'utf8' }).trim();
    await mkdir(cache, { recursive: true });
    const instead = ['--build-arg', `BASE=${bases.base}`, '--build-arg', `BUILDER=${bases.builder}`];
    const args = [
      'tools/build/image.ts',
      'buildah',
      '--quiet',
      '--pull-never',
      '--volume',
      `${cache}:/npm`,
      ...instead,
    ];
    execFileSync(process.execPath, args, { env: builder.env, stdio: ['ignore', 'ignore', 'inherit'] });
    const image = `localhost/${product.name}:${product.version}`;
    const said = z.object({ Docker: z.object({ config: settings }) });
    config = said.parse(JSON.parse(builder.buildah('inspect', '--type', 'image', image))).Docker.config;
    root = mount(image);
    base = mount(bases.base);
  }, 600_000);

  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('is smaller than 200 MB', async () => {
    const sizes = await Promise.all((await filesBelow(root)).map(async (file) => (await lstat(join(root, file))).size));
    const size = sizes.reduce((total, one) => total + one, 0);
    process.stdout.write(`the image has ${(size / megabyte).toFixed(1)} MB\n`);
    expect(size).toBeGreaterThan(50 * megabyte);
    expect(size).toBeLessThan(200 * megabyte);
  });

  it('adds the program, its bill of materials, its licences and the state directory to its base', async () => {
    const before = new Set(await filesBelow(base));
    const added = (await filesBelow(root)).filter((file) => !before.has(file));
    expect(added).toContain('app/chunks/daemon.mjs');
    expect(added.filter((file) => !file.startsWith('app/chunks/')).toSorted()).toEqual([
      'app/LICENSE',
      'app/THIRD-PARTY-NOTICES.txt',
      'app/graphwarden-page.json',
      'app/graphwarden.cdx.json',
      'app/graphwarden.mjs',
      'app/image.cdx.json',
      'usr/local/bin/graphwarden',
    ]);
    expect(await readdir(join(root, 'var/lib/graphwarden'))).toEqual([]);
  });

  it('has no shell, no package manager, and no setuid or setgid file', async () => {
    const files = await filesBelow(root);
    const names = new Set(files.map((file) => basename(file)));
    const tools = ['sh', 'bash', 'dash', 'busybox', 'env', 'npm', 'npx', 'corepack', 'yarn', 'apt', 'apt-get', 'dpkg'];
    expect(tools.filter((tool) => names.has(tool))).toEqual([]);
    expect(files.filter((file) => file.includes('node_modules'))).toEqual([]);
    const modes = await Promise.all(files.map(async (file) => [file, (await lstat(join(root, file))).mode] as const));
    expect(modes.filter(([, mode]) => (mode & 0o6000) !== 0)).toEqual([]);
  });

  it('runs as an unprivileged user without a shell', () => {
    expect(config).toMatchObject({
      User: user,
      Entrypoint: ['/usr/local/bin/graphwarden'],
      Cmd: ['run', '--config', '/etc/graphwarden/graphwarden.yml'],
      Healthcheck: { Test: ['CMD', '/usr/local/bin/graphwarden', 'healthcheck'] },
      StopSignal: 'SIGTERM',
      WorkingDir: '/var/lib/graphwarden',
      ExposedPorts: { '9916/tcp': {} },
    });
  });

  it('has labels with the version of the manifest', () => {
    expect(config.Labels).toMatchObject({
      'org.opencontainers.image.title': product.name,
      'org.opencontainers.image.version': product.version,
      'org.opencontainers.image.licenses': product.license,
      'org.opencontainers.image.source': expect.stringMatching(/^https:\/\//),
      'org.opencontainers.image.documentation': expect.stringMatching(/docs\/install\.md$/),
      'org.opencontainers.image.revision': expect.stringMatching(/^(?:[0-9a-f]{12}|unknown)$/),
      'org.opencontainers.image.url': expect.stringMatching(/^https:\/\//),
      'org.opencontainers.image.base.name': 'localhost/base',
    });
  });

  it('lists the packages of the lock file that are in its program', async () => {
    const expected = billOfMaterials(
      product,
      shippedPackages(shippedCode(join(root, 'app')), await readJson('package-lock.json')),
    );
    expect(await readJson(join(root, 'app/graphwarden.cdx.json'))).toEqual(expected);
    expect(expected.components.length).toBeGreaterThan(10);
  });

  it('lists the contents of the whole image: the program, Node and the packages of the base', async () => {
    const bill = z
      .object({ metadata: z.unknown(), components: z.array(z.looseObject({ name: z.string(), version: z.string() })) })
      .parse(await readJson(join(root, 'app/image.cdx.json')));
    expect(bill.metadata).toMatchObject({ component: { type: 'container', version: product.version } });
    const versionOf = (name: string) => bill.components.find((one) => one.name === name)?.version;
    expect(versionOf(product.name)).toBe(product.version);
    expect(versionOf('zod')).toMatch(/^\d/);
    expect(versionOf('node')).toBe(process.versions.node);
    expect(versionOf('libc6')).toBe('1:2.36-9+b1');
    expect(versionOf('debian')).toBe('12');
  });

  it.skipIf(findTool('podman') === undefined)(
    'is run, upgraded, restored and uninstalled by the commands of the guides, with podman',
    () => {
      const said = runContainerGuides(builder, `localhost/${product.name}:${product.version}`, folder);
      expect(said.match(/^== answers 200$/gm)).toHaveLength(3);
      expect(said.match(/^== state .*state\.db/gm)).toHaveLength(3);
      expect(said).toMatch(/integrity +ok/);
      expect(said).toContain('state.db.replaced-');
      expect(said).toContain('== ended with 0');
      expect(said).toMatch(/^== left *$/m);
    },
    500_000,
  );

  describe('running', () => {
    let container: Container;
    let url: string;

    beforeAll(async () => {
      ({ container, url } = await start());
    });

    afterAll(() => container.remove());

    async function start(node = 'http://127.0.0.1:9') {
      const port = await freePort();
      const address = `http://127.0.0.1:${port}`;
      const etc = await mkdtemp(join(folder, 'etc-'));
      await chmod(etc, 0o755);
      const clusters = [{ name: 'prod', nodes: [{ name: 'm1', url: node }] }];
      await writeFile(join(etc, 'graphwarden.yml'), stringify({ listen: `127.0.0.1:${port}`, clusters }));
      const recipe = { root, settings: etc, user, folder: config.WorkingDir };
      const started = await startContainer(recipe, [...config.Entrypoint, ...config.Cmd]);
      await eventually('it serves', async () => (await send(`${address}/-/healthy`)).status === 200).catch((error) => {
        started.remove();
        throw new Error(started.stderr(), { cause: error });
      });
      return { container: started, url: address };
    }

    it('is process 1, not root, without capabilities, and stores its state in a writable directory', async () => {
      const { pid } = container;
      const status = await readFile(`/proc/${pid}/status`, 'utf8');
      expect(status).toMatch(/^NSpid:\t\d+\t1$/m);
      expect(status).toMatch(/^Uid:\t65532\t65532\t65532\t65532$/m);
      expect(status).toMatch(/^CapEff:\t0+$/m);
      const writable = (await readFile(`/proc/${pid}/mounts`, 'utf8'))
        .split('\n')
        .filter((line) => / rw[, ]/.test(line));
      expect(writable.map((line) => line.split(' ')[1])).toEqual(['/proc', '/var/lib/graphwarden']);
      await eventually('its state is on the disk', async () => {
        const state = await readdir(`/proc/${pid}/root/var/lib/graphwarden/state`);
        return state.length > 0;
      });
      const copy = join(folder, 'copy.db');
      await writeFile(copy, await container.exec(...config.Entrypoint, 'state', 'backup', '-'), 'latin1');
      const { checks } = checkDatabaseFile(copy, { steps: migrations, now: Date.now() });
      expect(checks.map(({ result }) => result)).toEqual(['ok', 'ok', 'ok', 'ok', 'ok']);
    });

    it('serves metrics', async () => {
      const up = await eventually('the node is known to be down', async () => {
        const { text } = await send(`${url}/metrics`);
        return readExposition(text, 'text').get('graphdb_up')?.samples;
      });
      expect(up).toMatchObject([{ labels: { node: 'm1' }, value: 0 }]);
    });

    it('reports healthy and unhealthy states to the health check of the engine', async () => {
      const check = [...config.Healthcheck.Test.slice(1), '--url'];
      await expect(container.exec(...check, url)).resolves.toBe('');
      await expect(container.exec(...check, 'http://127.0.0.1:1')).rejects.toThrow('not healthy');
    });

    it.each(['SIGTERM', 'SIGINT'] as const)('exits with 0 on %s, with requests in flight', async (signal) => {
      const silent = await startTcp(() => undefined);
      const { container: ending } = await start(`http://127.0.0.1:${silent.port}`);
      onTestFinished(() => ending.remove());
      await eventually('a call is on its way', async () => silent.requests.length > 0);
      ending.kill(signal);
      // One that hangs gives up after nine seconds, and ends with 1.
      expect(await ending.ended).toBe(0);
    });
  });
});

const user = '65532:65532';

async function readJson(file: string): Promise<unknown> {
  return JSON.parse(await readFile(file, 'utf8'));
}

/** The files and links below a folder, by their paths in it. */
async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() || entry.isSymbolicLink())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}
