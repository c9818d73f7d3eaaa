import { describe, expect, it } from 'vitest';
import { forbidden, violations } from './forbidden.ts';
import { committed, type PanelModel, panelsOf } from './model.ts';
import { legendLabels } from './selectors.ts';
import { panelWidth, textWidth } from './text-width.ts';

const panels = committed.flatMap(([, dashboard]) => panelsOf(dashboard));
const variables = committed[0]?.[1].templating.list.map(({ name }) => name) ?? [];
const uids = committed.map(([, { uid }]) => uid);

/** Title bar without the paddings, the icons for the description and the links, and the menu. */
const reserved = 2 * 8 + 3 * 28;

describe.each(committed)('the look of dashboard %s', (_, dashboard) => {
  it('has no forbidden combination', () => {
    expect(violations(dashboard)).toEqual([]);
  });

  it('has titles that fit a panel on a screen of 1920 pixels', () => {
    const cut = panelsOf(dashboard).filter(
      ({ title, gridPos }) => textWidth(title, 14) > panelWidth(gridPos.w) - reserved,
    );
    expect(cut.map(({ title }) => title)).toEqual([]);
  });

  it('has headers that fit the columns of a table', () => {
    for (const { title, type, gridPos, targets } of panelsOf(dashboard).filter((panel) => panel.type === 'table')) {
      const labels = new Set(targets.flatMap(({ expr }) => /by \(([^)]*)\)/.exec(expr)?.[1]?.split(', ') ?? []));
      const column = panelWidth(gridPos.w) / (labels.size + targets.length) - 16;
      const cut = targets.filter(({ legendFormat }) => textWidth(legendFormat, 12) > column);
      expect(cut.map(({ legendFormat }) => `${title}: ${legendFormat} ${type}`)).toEqual([]);
    }
  });

  it('has legends that fit names of ordinary length with the last and the highest value', () => {
    for (const { title, gridPos, targets } of panelsOf(dashboard).filter(({ type }) => type === 'timeseries')) {
      const longest = Math.max(...targets.map(({ legendFormat }) => textWidth(filledIn(legendFormat), 12)));
      expect(longest, title).toBeLessThan(panelWidth(gridPos.w) - 2 * 80 - 40);
    }
  });

  it('links the other dashboards without a menu', () => {
    for (const link of dashboard.links) expect(link).not.toHaveProperty('placement');
    expect(dashboard.links.filter(({ asDropdown }) => asDropdown !== false)).toEqual([]);
  });

  it('has links that resolve', () => {
    const links = panelsOf(dashboard).flatMap((panel) => dataLinks(panel).map((url) => ({ panel, url })));
    for (const { panel, url } of links) expect(problemOf(url, panel), url).toBe('');
  });
});

describe('the dashboards together', () => {
  it('link from each row of the clusters to its cluster, and from nodes and services to themselves', () => {
    const linked = new Set(panels.flatMap((panel) => dataLinks(panel).map((url) => url.split('$')[0])));
    expect(linked).toEqual(
      new Set(['/d/graphwarden-cluster?var-cluster_name=', '/d/graphwarden-queries?var-cluster_name=']),
    );
  });

  it('show at most five numbers on the fleet dashboard', () => {
    const [, fleet] = committed.find(([name]) => name === 'fleet') ?? expect.fail();
    expect(panelsOf(fleet).filter(({ type }) => type === 'stat').length).toBeLessThanOrEqual(5);
  });

  it('show graphwarden itself in at most 38 grid rows', () => {
    const [, own] = committed.find(([name]) => name === 'graphwarden') ?? expect.fail();
    expect(Math.max(...own.panels.map(({ gridPos: { y, h } }) => y + h))).toBeLessThanOrEqual(114 / 3);
  });
});

describe('forbidden combinations', () => {
  const timeline = panels.find(({ type }) => type === 'state-timeline') ?? expect.fail();
  const stat = panels.find(({ type }) => type === 'stat') ?? expect.fail();
  const curves = panels.find(({ type }) => type === 'timeseries') ?? expect.fail();
  const table = panels.find(({ title }) => title === 'Clusters') ?? expect.fail();
  const colorText = { id: 'custom.cellOptions', value: { type: 'color-text' } };
  const panelQuerying = (expr: string): PanelModel => ({
    ...stat,
    targets: stat.targets.map((one) => ({ ...one, expr })),
  });
  const examples: readonly (readonly [string, PanelModel])[] = [
    [
      'a state timeline that merges values and colors by thresholds',
      changed(timeline, { color: { mode: 'thresholds' } }),
    ],
    [
      'value mappings without a fixed color for other values',
      changed(timeline, { color: { mode: 'palette-classic' } }),
    ],
    ['a state timeline without mappings', changed(timeline, { mappings: [] })],
    ['states or numbers without a mapping of missing values', changed(stat, { mappings: [] })],
    ['a constant in place of missing data', panelQuerying('sum(up) or vector(0)')],
    [
      'colors of a column that no cell shows',
      { ...table, fieldConfig: { defaults: {}, overrides: [{ properties: [{ id: 'thresholds', value: {} }] }] } },
    ],
    ['a heatmap whose cells have the unit of its axis', { ...changed(curves, { unit: 's' }), type: 'heatmap' }],
    ['a link with a placement', changed(curves, { links: [{ url: '/', placement: 'inControlsMenu' }] })],
    ['a panel without a text for missing data', changed(curves, { noValue: undefined })],
    [
      'a description of good and bad values without colors',
      { ...curves, description: 'Above the line the alert fires.' },
    ],
    [
      'a number without colors although an alert rule is about it',
      changed({ ...stat, links: timeline.links }, { thresholds: undefined }),
    ],
    [
      'a state timeline whose bands are lower than their names',
      { ...timeline, gridPos: { ...timeline.gridPos, h: timeline.gridPos.h - 1 } },
    ],
    [
      'a legend whose first series are not the worst ones',
      changed(curves, {
        thresholds: {
          steps: [
            { value: null, color: 'red' },
            { value: 1, color: 'green' },
          ],
        },
      }),
    ],
    ['areas that cover each other', changed(curves, { custom: { fillOpacity: 5 } })],
    ['an axis that zeros stretch', changed(curves, { unit: 'short', min: 0, custom: {} })],
    [
      'a column that shows a missing number in green',
      {
        ...table,
        fieldConfig: { defaults: {}, overrides: [{ properties: [{ id: 'thresholds', value: {} }, colorText] }] },
      },
    ],
  ];

  it.each(examples)('detects %s', (name, panel) => {
    expect(forbidden.filter(({ matches }) => matches(panel)).map((one) => one.name)).toContain(name);
    expect(forbidden.find((one) => one.name === name)?.reason.length).toBeGreaterThan(20);
  });

  it('have an example each', () => {
    expect(examples.map(([name]) => name)).toEqual(forbidden.map(({ name }) => name));
  });
});

/** The panel with other defaults of its fields. */
function changed(panel: PanelModel, defaults: Readonly<Record<string, unknown>>): PanelModel {
  return { ...panel, fieldConfig: { ...panel.fieldConfig, defaults: { ...panel.fieldConfig?.defaults, ...defaults } } };
}

/** The pattern of a name with labels of ordinary length. */
function filledIn(legend: string): string {
  return legendLabels(legend).reduce(
    (so, label) => so.replace(`{{${label}}}`, 'x'.repeat(label === 'path' ? 16 : 8)),
    legend,
  );
}

function dataLinks({ fieldConfig }: PanelModel): readonly string[] {
  return [...JSON.stringify(fieldConfig ?? {}).matchAll(/"url":"([^"]+)"/g)].map(([, url = '']) => url);
}

/** Returns what does not resolve in a link: its dashboard, a variable, or a label that the panel does not have. */
function problemOf(url: string, { targets }: PanelModel): string {
  const [path = '', query = ''] = url.split('?');
  if (!uids.includes(path.replace('/d/', ''))) return `there is no dashboard ${path}`;
  for (const part of query.split('&')) {
    const [, variable, label] = /^var-(\w+)=\$\{__(?:data\.fields|field\.labels)\.(\w+)\}$/.exec(part) ?? [];
    const kept = /^\$\{(\w+):queryparam\}$/.exec(part)?.[1];
    if (part === '${__url_time_range}') continue;
    if (!variables.includes(variable ?? kept ?? '')) return `there is no variable for ${part}`;
    if (label !== undefined && !targets.every(({ expr }) => expr.includes(label)))
      return `the panel has no label ${label}`;
  }
  return '';
}
