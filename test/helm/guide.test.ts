import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { commands } from '../../src/cli/commands/all.ts';
import { loadConfig } from '../../src/config/load.ts';
import { configFiles, helm, renderAll, rendering } from './chart.ts';

const guide = readFileSync('docs/install/kubernetes.md', 'utf8');
const examples = [...guide.matchAll(/```yaml\n# values\.yaml\n([\s\S]*?)```/g)].map(([, text = '']) => text);
const sidecar = parse(examples.find((text) => text.startsWith('mode: sidecar')) ?? '');
const checked = { ...sidecar, configCheck: { enabled: true } };
const stopped = { mode: 'sidecar', clusters: [{ name: 'prod' }] };

beforeAll(() => renderAll([...examples.map((text) => parse(text)), checked, stopped]));

describe('the guide', () => {
  it('shows values for every topic', () => {
    expect(examples.length).toBeGreaterThanOrEqual(8);
    expect([...guide.matchAll(/```yaml/g)]).toHaveLength(examples.length);
  });

  it('links to existing files and chapters', () => {
    const links = [...guide.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link);
    const files = links.filter((link) => !link.startsWith('#')).map((link) => link.replace(/#.*$/, ''));
    expect(files.length).toBeGreaterThan(2);
    // What is published has the folder docs, and not the chart.
    expect(files.filter((file) => join('docs/install', file).startsWith('docs/'))).toEqual(files);
    expect(files.filter((file) => !existsSync(join('docs/install', file)))).toEqual([]);
    const chapters = [...guide.matchAll(/^## (.+)$/gm)].map(([, title = '']) => anchor(title));
    const inner = new Set(links.filter((link) => link.startsWith('#')));
    expect([...inner].toSorted()).toEqual(chapters.toSorted());
  });

  it.skipIf(helm === undefined).each(examples)('shows values that the chart accepts: $0', (text) => {
    const made = rendering({ values: parse(text) });
    const files = configFiles(made);
    expect(files.length > 0).toBe(!text.includes('existingConfigMap'));
    for (const file of files) {
      expect(loadConfig(file, 'graphwarden.yml', { POD_NAME: 'prod-0', POD_IP: '10.0.0.1' })).toMatchObject({
        ok: true,
      });
    }
  });

  it.skipIf(helm === undefined)('names objects as the chart does', () => {
    expect(sidecar).toMatchObject({ mode: 'sidecar' });
    const names = rendering({ values: checked }).objects.map(({ metadata }) => metadata.name);
    const shown = [...guide.matchAll(/warden-(graphwarden[\w-]*)/g)].map(([, name]) => `x-${name}`);
    expect(shown.length).toBeGreaterThan(4);
    expect(shown.filter((name) => !names.includes(name))).toEqual([]);
  });
});

describe('the guide pauses the guard', () => {
  const stop = guide.slice(guide.indexOf('### Pause the guard'), guide.indexOf('## TLS and users'));

  it.skipIf(helm === undefined)('of sidecars by the pause file, with the Node of the image', () => {
    const [, node, code = ''] = /graphwarden -- (\S+) -e '([^']+)'/.exec(stop) ?? [];
    expect(readFileSync('Dockerfile', 'utf8')).toContain(`|#!${node}|`);
    const { data } = rendering({ values: stopped }).one('ConfigMap', 'x-graphwarden-prod');
    const { state_dir: folder } = parse(data?.['graphwarden.yml'] ?? '');
    expect(code).toBe(`fs.writeFileSync("${folder}/guard.paused", "")`);
    const other = mkdtempSync(join(tmpdir(), 'graphwarden-'));
    expect(spawnSync(process.execPath, ['-e', code.replace(folder, other)]).status).toBe(0);
    expect(existsSync(join(other, 'guard.paused'))).toBe(true);
    rmSync(other, { recursive: true });
  });

  it('by existing commands', () => {
    const [, words = ''] = /deployment\/warden-graphwarden -- graphwarden (.+)/.exec(stop) ?? [];
    expect(commands.map(({ name }) => name)).toContain(words);
  });
});

function anchor(title: string): string {
  return `#${title
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-')}`;
}
