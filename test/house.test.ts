import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { loadConfig } from '../src/config/load.ts';
import { documentedMetrics } from '../tools/generate/metrics-reference.ts';

const read = (path: string): string => readFileSync(path, 'utf8');
const scripts = z.record(z.string(), z.string());
const versions = z.record(z.string(), z.string().regex(/^\d+\.\d+\.\d+(?:-[\w.]+)?$/));
const manifest = z
  .object({ scripts, dependencies: versions, devDependencies: versions, optionalDependencies: versions })
  .parse(JSON.parse(read('package.json')));
const readme = read('README.md');
const documents = readdirSync('docs').flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : []));
const pages = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md', ...documents];

/** The fenced blocks of a page in one language. */
function blocks(page: string, language: string): readonly string[] {
  return [...page.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, code]) => code ?? '');
}

describe('the README', () => {
  it('has the two commands of the demo', () => {
    expect(blocks(readme, 'sh')).toEqual(expect.arrayContaining(['npm ci && npm start\n', 'npm ci && npm test\n']));
  });

  it('has a valid configuration of a cluster in about ten lines', () => {
    const [example = ''] = blocks(readme, 'yaml');
    expect(example.trim().split('\n').length).toBeLessThanOrEqual(11);
    expect(loadConfig(example, 'graphwarden.yml', {})).toMatchObject({ ok: true });
  });
});

describe('the alerts guide', () => {
  const text = read('docs/alerting.md');
  const examples = blocks(text, 'yaml').filter((block) => block.startsWith('alerts:'));

  it('has examples', () => {
    expect(examples.length).toBeGreaterThan(7);
  });

  it.each(examples.map((example, at) => [at + 1, example] as const))(
    'has a valid configuration in example %i',
    (_, example) => {
      const cluster = 'clusters: [{ name: prod, nodes: [{ name: m1, url: "http://10.0.0.1:14240" }] }]\n';
      expect(loadConfig(cluster + example, 'graphwarden.yml', {})).toMatchObject({ ok: true });
    },
  );

  it('names existing metrics, with their labels', () => {
    const known = new Map(documentedMetrics().map(({ name, labels }) => [name, labels]));
    const named = [...text.matchAll(/`?(graphwarden_\w+)(?:\{([\w,]+)\})?/g)];
    expect(named.length).toBeGreaterThan(6);
    for (const [, name = '', labels] of named) {
      expect(known.get(name) ?? name).toEqual(expect.arrayContaining(labels?.split(',') ?? []));
    }
  });

  it('links to existing headings', () => {
    const anchors = [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replaceAll(/[^\w -]/g, '')
        .replaceAll(' ', '-'),
    );
    const links = [...text.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor]) => anchor ?? '');
    expect(links.length).toBeGreaterThan(10);
    expect(links.filter((link) => !anchors.includes(link))).toEqual([]);
  });
});

describe('the written pages', () => {
  it.each(pages)('%s links to files that exist', (page) => {
    const links = [...read(page).matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, link]) => link ?? '');
    expect(links.filter((link) => !existsSync(join(dirname(page), link)))).toEqual([]);
  });

  it('give a reason for every dependency', () => {
    const reasons = read('docs/dependencies.md');
    const names = Object.keys({
      ...manifest.dependencies,
      ...manifest.devDependencies,
      ...manifest.optionalDependencies,
    });
    expect(names.filter((name) => !reasons.includes(`\`${name}\``))).toEqual([]);
  });

  it('keep an «Unreleased» chapter for the next change', () => {
    expect(read('CHANGELOG.md')).toContain('## Unreleased');
  });
});

describe('the checks', () => {
  const run = read('.ci/run');

  it('call scripts that exist', () => {
    const called = [...run.matchAll(/npm run --silent ([\w:]+)/g)].map(([, name]) => name ?? '');
    expect(called.length).toBeGreaterThan(5);
    expect(called.filter((name) => manifest.scripts[name] === undefined)).toEqual([]);
  });

  it('find no host in the lock file', () => {
    expect(read('package-lock.json')).not.toContain('"resolved"');
  });
});
