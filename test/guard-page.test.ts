import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { guardMetrics } from '../src/app/guard/guard-metrics.ts';
import type { Config } from '../src/config/config.ts';
import { loadConfig } from '../src/config/load.ts';
import { explainGuard } from '../src/guard/explain.ts';
import { abortOutcomes } from '../src/model/guard.ts';
import { documentedMetrics } from '../tools/generate/metrics-reference.ts';

const page = readFileSync('docs/guard.md', 'utf8');
const readme = readFileSync('README.md', 'utf8');
const cluster = 'clusters: [{ name: prod, nodes: [{ name: m1, url: "http://10.0.0.1:14240" }] }]\n';

/** The code of a language that a page shows. */
function blocks(language: string, text = page): readonly string[] {
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(
    ([, block = '']) => block,
  );
}

/** As the daemon takes it; a section alone gets a cluster to guard. */
function configOf(example: string): Config {
  const text = /^clusters:/m.test(example) ? example : cluster + example;
  const loaded = loadConfig(text, 'a.yml', {});
  return loaded.ok ? loaded.value : expect.fail(JSON.stringify(loaded.error));
}

describe('examples of the guard guide', () => {
  const inReadme = blocks('yaml', readme).filter((block) => block.startsWith('guard:'));
  const examples = [...blocks('yaml'), ...inReadme];

  it('exist', () => {
    expect(examples.length).toBeGreaterThan(10);
    expect(inReadme).toHaveLength(1);
    expect(examples.filter((example) => example.includes('policies:')).length).toBeGreaterThan(9);
  });

  it.each(examples.map((example, at) => [at + 1, example] as const))(
    'are valid configurations: example %i',
    (_, example) => {
      const { guard, clusters, scope } = configOf(example);
      const around = { clusters: clusters.map(({ name }) => name), isOneNode: scope === 'node' };
      expect(explainGuard(guard, around).flat().join('\n')).not.toContain('It can never abort anything');
    },
  );

  it('observe by default, and enforce only with both modes', () => {
    const enforcing = examples.filter((example) => example.includes('enforce'));
    for (const example of enforcing) {
      const { guard } = configOf(example);
      expect([guard.mode, ...guard.policies.map(({ mode }) => mode)]).toEqual(['enforce', 'enforce']);
    }
    expect(enforcing.length).toBeLessThan(examples.length / 2);
  });
});

describe('the guard guide', () => {
  it('names existing metrics, and every guard metric', () => {
    const known = documentedMetrics().flatMap(({ name, type }) =>
      type === 'histogram' ? [name, `${name}_bucket`] : [name],
    );
    const named = [...page.matchAll(/\b(?:graphwarden|graphdb)_\w+/g)].map(([name]) => name);
    expect(named.filter((name) => !known.includes(name))).toEqual([]);
    expect(named).toEqual(expect.arrayContaining(guardMetrics.map(({ name }) => name)));
  });

  it('has a list of its headings, and links to no other anchor of the page', () => {
    const anchorsOf = (headings: RegExp) =>
      [...page.matchAll(headings)].map(([, title = '']) =>
        title
          .toLowerCase()
          .replaceAll(' ', '-')
          .replaceAll(/[^\w-]/g, ''),
      );
    const anchors = anchorsOf(/^## (.*)$/gm);
    const links = [...page.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor = '']) => anchor);
    expect(links.slice(0, anchors.length)).toEqual(anchors);
    expect(anchorsOf(/^##+ (.*)$/gm)).toEqual(expect.arrayContaining(links));
  });

  it('explains every outcome', () => {
    const explained = [...page.matchAll(/^\| `(\w+)` \| /gm)].map(([, word = '']) => word);
    expect(explained).toEqual(expect.arrayContaining([...abortOutcomes]));
  });

  it('begins with the default, which aborts nothing', () => {
    expect(page.slice(0, 200)).toContain('**By default, it aborts nothing**');
  });
});
