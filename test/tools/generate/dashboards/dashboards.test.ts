import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { runbookUrlOf } from '../../../../src/alert/links.ts';
import { rules } from '../../../../src/alert/rules/all.ts';
import { committed, panelsOf } from './model.ts';

const runbookText = readFileSync('docs/runbook.md', 'utf8');

const runbookUrl = runbookUrlOf();

describe('dashboards', () => {
  it('have unique uids and titles that differ from those of the vendor', () => {
    const uids = committed.map(([, { uid }]) => uid);
    expect(uids).toEqual(committed.map(([name]) => `graphwarden-${name}`));
    expect(new Set(committed.map(([, { title }]) => title)).size).toBe(committed.length);
  });

  it('fit into one ConfigMap each, minified', () => {
    for (const [name] of committed) {
      const minified = JSON.stringify(JSON.parse(readFileSync(`dashboards/${name}.json`, 'utf8')));
      expect(minified.length).toBeLessThan(900_000);
    }
  });

  it('have the same variables in the same order', () => {
    for (const [, { templating }] of committed) {
      const names = templating.list.map(({ name }) => name);
      expect(names).toEqual(['datasource', 'job', 'instance', 'cluster_name', 'node', 'graph', 'service_name']);
    }
  });
});

describe.each(committed)('dashboard %s', (_, dashboard) => {
  const panels = panelsOf(dashboard);

  it('numbers its panels and rows, and panels do not overlap', () => {
    const ids = dashboard.panels.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const taken = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_place, at) => `${x + (at % w)},${y + Math.floor(at / w)}`),
    );
    expect(new Set(taken).size).toBe(taken.length);
    expect(dashboard.panels.every(({ gridPos: { x, w } }) => x + w <= 24)).toBe(true);
  });

  it('gives each query of a panel its own refId', () => {
    for (const { targets } of panels) {
      expect(targets.map(({ refId }) => refId)).toEqual(targets.map((_target, at) => String.fromCharCode(65 + at)));
    }
  });

  it('has unique panel titles', () => {
    const titles = panels.map(({ title }) => title);
    expect(titles.filter((title, at) => titles.indexOf(title) !== at)).toEqual([]);
  });

  it('uses only panel types of Grafana itself', () => {
    const parts = ['row', 'timeseries', 'stat', 'table', 'state-timeline', 'heatmap'];
    expect(dashboard.panels.filter(({ type }) => !parts.includes(type))).toEqual([]);
  });

  it('links the other dashboards, with the selection, and the runbook', () => {
    const others = dashboard.links.filter(({ type }) => type === 'dashboards');
    expect(others).toMatchObject([{ includeVars: true, keepTime: true, tags: dashboard.tags }]);
    expect(dashboard.links.some(({ url }) => url === runbookUrl)).toBe(true);
  });

  it('links existing entries of the runbook', () => {
    const linked = panels.flatMap(({ links }) => links.map(({ url }) => url ?? ''));
    const anchors = linked.map((url) => url.replace(`${runbookUrl}#`, ''));
    expect(anchors.filter((anchor) => !runbookText.includes(`\n## ${anchor}\n`))).toEqual([]);
    expect(existsSync(runbookUrl.replace(/^.*\/blob\/main\//, ''))).toBe(true);
  });
});

describe('runbook links', () => {
  /** Rules that no panel can show. */
  const elsewhere = ['watchdog'];

  it('exist for every rule on a panel with its metric', () => {
    const linked = committed.flatMap(([, dashboard]) => panelsOf(dashboard).flatMap(({ links }) => links));
    const anchors = linked.map(({ url = '' }) => url.split('#')[1]);
    expect(rules.map(({ name }) => name).filter((name) => !anchors.includes(name))).toEqual(elsewhere);
  });
});

describe('docs/dashboards.md', () => {
  const page = readFileSync('docs/dashboards.md', 'utf8');

  it('lists each dashboard with its uid', () => {
    const rows = [...page.matchAll(/^\| `([\w-]+)\.json` \| `([\w-]+)` \|/gm)].map(([, file, uid]) => [file, uid]);
    expect(rows).toEqual(committed.map(([name, { uid }]) => [name, uid]));
  });

  it('lists each variable by its label', () => {
    const labels = committed[0]?.[1].templating.list.map(({ label }) => label) ?? [];
    for (const label of labels) expect(page).toMatch(new RegExp(`^\\| [\\w ,]*${label}[\\w ,]* \\|`, 'm'));
  });

  it('is linked from the README', () => {
    expect(readFileSync('README.md', 'utf8')).toContain('](docs/dashboards.md)');
  });
});
