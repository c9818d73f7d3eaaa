import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { rules } from '../../../src/alert/rules/all.ts';
import { runbook } from '../../../src/alert/texts.ts';
import { committed, panelsOf } from './model.ts';

const runbookText = readFileSync('docs/runbook.md', 'utf8');

describe('the dashboards', () => {
  it('have uids of their own, not those of the vendor, and titles of their own', () => {
    const uids = committed.map(([, { uid }]) => uid);
    expect(uids).toEqual(committed.map(([name]) => `graphwarden-${name}`));
    expect(new Set(committed.map(([, { title }]) => title)).size).toBe(committed.length);
  });

  it('fit into a config map each, minified', () => {
    for (const [name] of committed) {
      const minified = JSON.stringify(JSON.parse(readFileSync(`dashboards/${name}.json`, 'utf8')));
      expect(minified.length).toBeLessThan(900_000);
    }
  });

  it('have the same variables, in the order in which one narrows the next', () => {
    for (const [, { templating }] of committed) {
      const names = templating.list.map(({ name }) => name);
      expect(names).toEqual(['datasource', 'job', 'instance', 'cluster_name', 'node', 'graph']);
    }
  });
});

describe.each(committed)('the dashboard %s', (_, dashboard) => {
  const panels = panelsOf(dashboard);

  it('numbers its panels and rows, and lets none lie upon another', () => {
    const ids = dashboard.panels.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const taken = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_place, at) => `${x + (at % w)},${y + Math.floor(at / w)}`),
    );
    expect(new Set(taken).size).toBe(taken.length);
    expect(dashboard.panels.every(({ gridPos: { x, w } }) => x + w <= 24)).toBe(true);
  });

  it('names the queries of a panel apart', () => {
    for (const { targets } of panels) {
      expect(targets.map(({ refId }) => refId)).toEqual(targets.map((_target, at) => String.fromCharCode(65 + at)));
    }
  });

  it('has no two panels of one title', () => {
    const titles = panels.map(({ title }) => title);
    expect(titles.filter((title, at) => titles.indexOf(title) !== at)).toEqual([]);
  });

  it('uses panels that are part of Grafana', () => {
    const parts = ['row', 'timeseries', 'stat', 'table', 'state-timeline', 'heatmap'];
    expect(dashboard.panels.filter(({ type }) => !parts.includes(type))).toEqual([]);
  });

  it('leads to the others with what is chosen, and to the runbook', () => {
    const others = dashboard.links.filter(({ type }) => type === 'dashboards');
    expect(others).toMatchObject([{ includeVars: true, keepTime: true, tags: dashboard.tags }]);
    expect(dashboard.links.some(({ url }) => url === runbook)).toBe(true);
  });

  it('links entries of the runbook that there are', () => {
    const linked = panels.flatMap(({ links }) => links.map(({ url }) => url ?? ''));
    const anchors = linked.map((url) => url.replace(`${runbook}#`, ''));
    expect(anchors.filter((anchor) => !runbookText.includes(`\n## ${anchor}\n`))).toEqual([]);
    expect(existsSync(runbook.replace(/^.*\/blob\/main\//, ''))).toBe(true);
  });
});

describe('the runbook', () => {
  /** About what no panel can show, or shows by its being there. */
  const elsewhere = ['watchdog'];

  it('is linked for every rule from a panel that shows what it is about', () => {
    const linked = committed.flatMap(([, dashboard]) => panelsOf(dashboard).flatMap(({ links }) => links));
    const anchors = linked.map(({ url = '' }) => url.split('#')[1]);
    expect(rules.map(({ name }) => name).filter((name) => !anchors.includes(name))).toEqual(elsewhere);
  });
});

describe('the page about dashboards', () => {
  const page = readFileSync('docs/dashboards.md', 'utf8');

  it('has each of them with its uid, and no other', () => {
    const rows = [...page.matchAll(/^\| `([\w-]+)\.json` \| `([\w-]+)` \|/gm)].map(([, file, uid]) => [file, uid]);
    expect(rows).toEqual(committed.map(([name, { uid }]) => [name, uid]));
  });

  it('has each variable by its label', () => {
    const labels = committed[0]?.[1].templating.list.map(({ label }) => label) ?? [];
    for (const label of labels) expect(page).toMatch(new RegExp(`^\\| [\\w ,]*${label}[\\w ,]* \\|`, 'm'));
  });

  it('is led to by the README', () => {
    expect(readFileSync('README.md', 'utf8')).toContain('](docs/dashboards.md)');
  });
});
