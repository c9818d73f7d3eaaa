import { beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/child.ts';
import { type Prometheus, startPrometheus } from '../support/prometheus.ts';
import { findTool } from '../support/tools.ts';
import { committed, panelsOf } from '../tools/generate/dashboards/model.ts';
import { type Drawing, type DrawnPanel, openDashboardBrowser } from './dashboard-pictures.ts';
import { shades } from './expected-looks.ts';
import { grafanaVersions, type PanelInput, type ResolvedField, resolvePanels } from './grafana-fields.ts';
import { type OutageDaemons, openOutages, pollInterval } from './outage-daemons.ts';
import { framesFor } from './panel-frames.ts';
import { interpolate, queryInstant, queryRange, type TimeRange } from './panel-results.ts';
import { pictureDifferences } from './picture-differences.ts';

const all = { instance: '.+', cluster_name: '.*', node: '.*', graph: '.*', service_name: '.*' };
const dashboards = committed.filter(([name]) => ['fleet', 'cluster', 'queries'].includes(name));
const ofFleet = panelsOf((dashboards.find(([name]) => name === 'fleet') ?? expect.fail())[1]);
const numbers = ofFleet.filter(({ type }) => type === 'stat').map(({ title }) => title);
/** Columns of the table of clusters in the order of {@link Looks.alpha}. */
const columns = [
  'State',
  'Lost partitions',
  'Nodes down',
  'Instances not online',
  'Running queries',
  'Overdue queries',
];
const tables = [
  'Alerts that are firing',
  'Instances not online',
  'Nodes that fail the health check',
  'Lost partitions',
];

/** What the dashboards show in an outage before its alerts fire. */
interface Looks {
  /** Colors of the numbers of the fleet, in their order. */
  readonly numbers: readonly (keyof typeof shades)[];
  /** Row of the cluster `alpha` in the table of clusters. Each number of running queries is `n`. */
  readonly alpha: string;
  /** States of the other clusters. */
  readonly others: Readonly<Record<string, string>>;
  /** Unknown rows of the tables of problems, in the order of the tables. */
  readonly unknown: readonly (readonly string[])[];
}

const [green, red, grey] = ['green', 'red', 'grey'] as const;
const healthyBeta = { beta: 'healthy' };
const noneUnknown = [[], [], [], []];
const noStatus = { others: healthyBeta, unknown: [[], ['alpha'], [], ['alpha']] };
const noAnswer = { ...noStatus, numbers: [green, red, grey, grey, grey], alpha: 'degraded – 3 – – –' } as const;

const looks: Readonly<Record<string, Looks>> = {
  'no outage': {
    numbers: [green, green, green, green, green],
    alpha: 'healthy 0 0 0 n 0',
    others: healthyBeta,
    unknown: noneUnknown,
  },
  'no node of alpha answers': noAnswer,
  'no node of any cluster answers': {
    ...noAnswer,
    others: { beta: 'degraded' },
    unknown: [[], ['alpha', 'beta'], [], ['alpha', 'beta']],
  },
  'one node of alpha does not answer': {
    numbers: [green, red, green, red, green],
    alpha: 'degraded 0 1 16 – –',
    others: healthyBeta,
    unknown: noneUnknown,
  },
  'alpha refuses the credentials': noAnswer,
  'alpha has no statuses of services': {
    ...noStatus,
    numbers: [green, green, grey, grey, green],
    alpha: 'unknown – 0 – n 0',
  },
  'a node of alpha has no process list': {
    numbers: [green, green, green, green, green],
    alpha: 'healthy 0 0 0 – –',
    others: healthyBeta,
    unknown: noneUnknown,
  },
  'a cluster was not polled yet': {
    numbers: [green, grey, grey, grey, grey],
    alpha: 'healthy 0 0 0 n 0',
    others: { ...healthyBeta, new: 'unknown' },
    unknown: [[], ['new'], ['new m1'], ['new']],
  },
  'the daemon of all clusters is down': {
    numbers: [grey, grey, grey, grey, grey],
    alpha: 'unknown – – – – –',
    others: { beta: 'unknown' },
    unknown: tables.map(() => ['alpha', 'beta']),
  },
  'the daemon of alpha is down': {
    numbers: [grey, grey, grey, grey, grey],
    alpha: 'unknown – – – – –',
    others: healthyBeta,
    unknown: tables.map(() => ['alpha']),
  },
};

/** Outages whose dashboards are drawn. */
const pictures = ['no node of alpha answers', 'the daemon of alpha is down'].flatMap((outage) =>
  dashboards.map(([dashboard, model]) => ({ outage, dashboard, model })),
);

interface OutagePanel extends PanelInput {
  readonly outage: string;
  readonly dashboard: string;
}

const tools = ['prometheus', 'grafana-fields', 'chromium'];

describe.skipIf(tools.some((tool) => findTool(tool) === undefined))('the dashboards in an outage', () => {
  const panels: OutagePanel[] = [];
  const resolved = new Map<string, Awaited<ReturnType<typeof resolvePanels>>>();
  let span: TimeRange;

  beforeAll(async () => {
    const opened = await openOutages();
    const jobs = opened.map(({ name, addresses }) => ({ job_name: name, static_configs: [{ targets: addresses }] }));
    const prometheus = await startPrometheus(jobs, '2s');
    try {
      span = await recordOutages(opened, prometheus);
      for (const { name } of opened) panels.push(...(await panelsIn(name, prometheus, span)));
    } finally {
      await Promise.all(opened.map((one) => one.stop()));
      await prometheus.stop();
    }
    for (const version of grafanaVersions) resolved.set(version, await resolvePanels(version, panels));
  }, 600_000);

  const shownFields = (version: string, panel: PanelInput) => resolved.get(version)?.get(panel) ?? expect.fail(version);
  const fieldsOf = (version: string, outage: string, title: string): readonly ResolvedField[] => {
    const panel = panels.find((one) => one.outage === outage && one.panel.title === title) ?? expect.fail(title);
    return shownFields(version, panel);
  };

  it('are compared in every outage', () => {
    expect([...new Set(panels.map(({ outage }) => outage))]).toEqual(Object.keys(looks));
  });

  describe.each(grafanaVersions)('in Grafana %s', (version) => {
    it.each(Object.entries(looks))('show no healthy total of a part of the fleet: %s', (outage, expected) => {
      const colors = numbers.map((title) => fieldsOf(version, outage, title).flatMap(({ values }) => values));
      expect(colors.map((values) => values.map(({ color }) => color))).toEqual(
        expected.numbers.map((color) => [shades[color]]),
      );
    });

    it.each(Object.entries(looks))('show each cluster, and a dash for an unknown value: %s', (outage, expected) => {
      const rows = new Map(
        rowsOf(fieldsOf(version, outage, 'Clusters')).map((row) => [
          row.Cluster,
          columns.map((column) => row[column] ?? '–'),
        ]),
      );
      const [state, lost, down, notOnline, running = '', overdue] = rows.get('alpha') ?? [];
      expect([state, lost, down, notOnline, running.replace(/\d+/, 'n'), overdue].join(' ')).toBe(expected.alpha);
      const others = [...rows].filter(([name]) => name !== 'alpha').map(([name, [other]]) => [name, other]);
      expect(Object.fromEntries(others)).toEqual(expected.others);
    });

    it.each(Object.entries(looks))('list what is unknown among the problems: %s', (outage, expected) => {
      const unknown = tables.map((title) =>
        rowsOf(fieldsOf(version, outage, title))
          .filter(isUnknown)
          .map(subjectOf),
      );
      expect(unknown).toEqual(expected.unknown);
    });

    it('do not call process lists usable that were not polled', () => {
      const panel = 'Nodes without usable process lists';
      const bands = fieldsOf(version, 'a cluster was not polled yet', panel).map(({ name }) => name);
      expect(bands).toEqual(['alpha m1', 'alpha m2', 'alpha m3', 'beta m1']);
    });
  });

  describe('and a browser draws them', () => {
    let drawn: ReadonlyMap<string, readonly DrawnPanel[]>;
    const ownPanels = (picture: (typeof pictures)[number]) =>
      panels.filter(({ outage, dashboard }) => outage === picture.outage && dashboard === picture.dashboard);

    beforeAll(async () => {
      const browser = await openDashboardBrowser();
      const drawings = pictures.map((picture): Drawing => {
        const frames = new Map(ownPanels(picture).map((one) => [one.panel.title, one.frames]));
        return { name: nameOf(picture), dashboard: picture.model, frames };
      });
      try {
        drawn = await browser.draw({ drawings, span, width: 1920 });
      } finally {
        await browser.close();
      }
    });

    it.each(pictures)('show the same on a wide screen: $outage, $dashboard', (picture) => {
      const own = drawn.get(nameOf(picture)) ?? expect.fail(picture.outage);
      const found = ownPanels(picture).flatMap((input, at) =>
        pictureDifferences({
          panel: input.panel,
          drawn: own[at] ?? expect.fail(input.panel.title),
          fields: shownFields('12.3', input),
        }),
      );
      expect(found).toEqual([]);
    });
  });
});

/** Returns the name of a picture. */
function nameOf({ outage, dashboard }: (typeof pictures)[number]): string {
  return `${dashboard}-${outage.replaceAll(' ', '-')}`;
}

/** Lets Prometheus scrape healthy clusters and then the outages. Returns the time range. */
async function recordOutages(opened: readonly OutageDaemons[], prometheus: Prometheus): Promise<TimeRange> {
  const from = Date.now() / 1000;
  const healthy = 'count by (job) (count by (job, cluster_name) (graphdb_service_status_code)) == 2';
  await shown(prometheus, healthy, opened);
  for (const one of opened) await one.begin();
  for (const one of opened) await shown(prometheus, one.isScraped, [one]);
  // By then, each collector has been polled during the outage, and the result was scraped.
  await shown(prometheus, `min by (job) (timestamp(up)) > ${Date.now() / 1000 + 2 * pollInterval}`, opened);
  return { from, to: Date.now() / 1000 };
}

/** Waits until a query has had a result for the job of each outage: on a busy machine, polls fail in between. */
async function shown(prometheus: Prometheus, query: string, opened: readonly OutageDaemons[]): Promise<void> {
  const found = new Set<string | undefined>();
  await eventually(query, async () => {
    for (const { labels } of await prometheus.query(query)) found.add(labels.job);
    return opened.every(({ name }) => found.has(name));
  });
}

async function panelsIn(outage: string, prometheus: Prometheus, span: TimeRange): Promise<readonly OutagePanel[]> {
  const expression = (text: string): string => interpolate(text, { job: outage, ...all });
  const source = {
    range: (text: string) => queryRange(prometheus, expression(text), span),
    instant: (text: string) => queryInstant(prometheus, expression(text), span.to),
  };
  const own = dashboards.flatMap(([dashboard, model]) => panelsOf(model).map((panel) => ({ dashboard, panel })));
  return Promise.all(
    own.map(async ({ dashboard, panel }) => ({ outage, dashboard, panel, frames: await framesFor(panel, source) })),
  );
}

type Row = Readonly<Record<string, string>>;

/** Returns the texts of a table by column, row by row. */
function rowsOf(fields: readonly ResolvedField[]): readonly Row[] {
  const count = Math.max(0, ...fields.map(({ values }) => values.length));
  return Array.from({ length: count }, (_, row) =>
    Object.fromEntries(fields.map(({ name, values }) => [name, values[row]?.text ?? ''])),
  );
}

function isUnknown(row: Row): boolean {
  return Object.values(row).includes('unknown');
}

function subjectOf({ Cluster = '', Node = '–' }: Row): string {
  return Node === '–' ? Cluster : `${Cluster} ${Node}`;
}
