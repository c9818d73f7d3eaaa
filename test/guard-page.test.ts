import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { families } from '../generate/metrics.ts';
import { guardMetrics } from '../src/app/guard-metrics.ts';
import { loadConfig } from '../src/config/load.ts';

const page = readFileSync('docs/guard.md', 'utf8');
const cluster = 'clusters: [{ name: prod, nodes: [{ name: m1, url: "http://10.0.0.1:14240" }] }]\n';

describe('the page about the guard', () => {
  it('shows what can be configured', () => {
    const examples = [...page.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, example = '']) => example);
    expect(examples).toHaveLength(1);
    for (const example of examples) expect(loadConfig(cluster + example, 'a.yml', {})).toMatchObject({ ok: true });
  });

  it('names metrics that there are, and each of its own', () => {
    const known = families().map(({ name }) => name);
    const named = [...page.matchAll(/\b(?:graphwarden|graphdb)_\w+/g)].map(([name]) => name);
    expect(named.filter((name) => !known.includes(name))).toEqual([]);
    expect(named).toEqual(expect.arrayContaining(guardMetrics.map(({ name }) => name)));
  });

  it('links to headings that it has', () => {
    const anchors = [...page.matchAll(/^## (.*)$/gm)].map(([, title = '']) =>
      title.toLowerCase().replaceAll(' ', '-').replaceAll("'", ''),
    );
    const links = [...page.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor = '']) => anchor);
    expect(links).toEqual(anchors);
  });

  it('says first that nothing is aborted', () => {
    expect(page.slice(0, 200)).toContain('**This version aborts nothing.**');
  });
});
