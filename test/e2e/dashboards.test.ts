import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { failureReasons } from '../../src/kernel/failure.ts';
import { dashboards } from '../../tools/generate/dashboards/all.ts';
import { eventually } from '../support/child.ts';
import { type Prometheus, startPrometheus } from '../support/prometheus.ts';
import { findTool } from '../support/tools.ts';
import { committed, type DashboardModel, panelsOf } from '../tools/generate/dashboards/model.ts';
import { legendLabels } from '../tools/generate/dashboards/selectors.ts';
import {
  type DashboardDaemon,
  type FaultyDaemon,
  openFaultyDaemon,
  openHealthyDaemon,
  openIncidentsDaemon,
} from './dashboard-daemons.ts';
import { inspect, type PanelReport, writeReport } from './dashboard-gate.ts';
import { scrapedByOperator } from './dashboard-settings.ts';
import { calmTruth, logTruth, type TruthLog, withLateAnswers } from './dashboard-truth.ts';
import { grafanaVersions, type PanelInput, resolvePanels } from './grafana-fields.ts';
import { framesFor } from './panel-frames.ts';
import { interpolate, labelNames, queryRange, type ResultSeries, type TimeRange, valuesOf } from './panel-results.ts';

/** One query of a panel or a mark. */
interface Asked {
  readonly about: string;
  readonly expr: string;
  readonly legend: string;
  readonly type: string;
  readonly emptyWhenHealthy: boolean;
}

/** Series that are 0 for a minute after they appeared. */
const lateSeries = [
  'graphwarden_calls_rejected_total',
  'graphwarden_implausible_entries_total',
  'graphwarden_collector_source_failures_total',
];
/** Looks that show a series by all its labels, or several at one place. */
const unnamed = ['table', 'heatmap', 'mark'];
const all = { instance: '.+', cluster_name: '.*', node: '.*', graph: '.*', service_name: '.*' };
/** Panels as Grafana gets them, with the name of their dashboard. */
const allPanels = committed.flatMap(([name, dashboard]) => panelsOf(dashboard).map((panel) => ({ name, panel })));
const scenarios = ['calm', 'faulty', 'incidents'] as const;
type ScenarioJob = (typeof scenarios)[number];
const asked = committed.flatMap(([name, dashboard]) => [
  ...panelQueries(name, dashboard),
  ...markQueries(name, dashboard),
]);
const variables = committed[0]?.[1].templating.list.filter(({ type }) => type === 'query') ?? [];

function panelQueries(name: string, dashboard: DashboardModel): readonly Asked[] {
  const defined = dashboards.find((one) => one.name === name)?.rows.flatMap(({ panels }) => panels) ?? [];
  return panelsOf(dashboard).flatMap(({ title, type, targets }) =>
    targets.map(({ expr, legendFormat, refId }) => ({
      about: `${name}: ${title} ${refId}`,
      expr,
      legend: legendFormat,
      type,
      emptyWhenHealthy: defined.find((one) => one.title === title)?.emptyWhenHealthy !== undefined,
    })),
  );
}

function markQueries(name: string, { annotations }: DashboardModel): readonly Asked[] {
  return annotations.list.map(({ name: mark, expr, titleFormat }) => ({
    about: `${name}: mark ${mark}`,
    expr,
    legend: titleFormat,
    type: 'mark',
    emptyWhenHealthy: true,
  }));
}

describe.skipIf(findTool('prometheus') === undefined)('the dashboards over a Prometheus', () => {
  let prometheus: Prometheus;
  let calm: DashboardDaemon;
  let faulty: FaultyDaemon;
  let incidents: DashboardDaemon;
  let truths: Readonly<Record<ScenarioJob, TruthLog>>;
  let span: TimeRange;

  beforeAll(async () => {
    [calm, faulty, incidents] = await Promise.all([openHealthyDaemon(), openFaultyDaemon(), openIncidentsDaemon()]);
    truths = { calm: calmTruth, faulty: logTruth(faulty), incidents: logTruth(incidents) };
    prometheus = await startPrometheus([
      scrapedByOperator('calm', calm.address),
      scrapedByOperator('faulty', faulty.address),
      scrapedByOperator('incidents', incidents.address),
    ]);
    const from = Date.now() / 1000;
    await prometheus.scraped();
    await faulty.injectFaults();
    const last = 'increase(graphwarden_guard_outcomes_total{outcome="still_running"}[1m]) > 0';
    await eventually('the last abort is over', async () => (await prometheus.query(last)).length > 0, 300_000);
    for (const name of lateSeries) {
      await eventually(
        `${name} increases`,
        async () => (await prometheus.query(`increase(${name}{job!="calm"}[1m]) > 0`)).length > 0,
        300_000,
      );
    }
    await prometheus.scraped();
    span = { from, to: Date.now() / 1000 };
    for (const truth of Object.values(truths)) truth.stop();
    const timeouts = 'graphwarden_collector_failures_total{collector="health", reason="timeout"} > 0';
    const late = (await prometheus.query(timeouts)).map(({ labels }) => labels);
    const { faulty: withFaults, incidents: withIncidents } = truths;
    truths = {
      calm: calmTruth,
      faulty: withLateAnswers(withFaults, late),
      incidents: withLateAnswers(withIncidents, late),
    };
  }, 600_000);

  afterAll(async () => {
    await prometheus.stop();
    await Promise.all([calm.stop(), faulty.stop(), incidents.stop()]);
  });

  /** Each query runs once for each scenario. */
  const answers = new Map<string, Promise<readonly ResultSeries[]>>();
  const look = (job: ScenarioJob, { expr }: Asked): Promise<readonly ResultSeries[]> => {
    const expression = interpolate(expr, { job, ...all });
    const answer = answers.get(expression) ?? queryRange(prometheus, expression, span);
    answers.set(expression, answer);
    return answer;
  };

  it('counts each fact once when two pods report it', async () => {
    const panel = asked.find(({ about }) => about === 'cluster: Online replicas A') ?? expect.fail();
    const replicas = (await look('calm', panel)).filter(({ labels }) => labels.service_name === 'GPE');
    expect(replicas.length).toBeGreaterThan(0);
    for (const { values } of replicas) expect([1, 2, 3]).toContain(values.at(-1));
  });

  it('hold under the labels that an operator attaches, and none of ours gives way to them', async () => {
    const labels = await labelNames(prometheus, '{job="calm"}');
    expect(labels).toEqual(expect.arrayContaining(['namespace', 'service', 'endpoint', 'pod', 'container', 'job']));
    expect(labels.filter((label) => label.startsWith('exported_'))).toEqual([]);
  });

  it.each(asked)('shows only what is chosen: $about', async ({ expr }) => {
    const chosen = {
      job: 'calm',
      instance: '.+',
      cluster_name: 'simulated',
      node: 'm1',
      graph: 'fraud',
      service_name: 'GPE',
    };
    for (const { labels } of await queryRange(prometheus, interpolate(expr, chosen), span)) {
      const {
        node = 'm1',
        graph = 'fraud',
        cluster_name: cluster = 'simulated',
        service_name: service = 'GPE',
      } = labels;
      expect([cluster, node, graph, service]).toEqual(['simulated', 'm1', 'fraud', 'GPE']);
    }
  });

  it.each(variables)('has values for $name', async ({ query }) => {
    for (const job of ['calm', 'faulty']) {
      expect(await valuesOf(prometheus, interpolate(query, { job, ...all }))).not.toEqual([]);
    }
  });

  it.each(asked.filter((one) => !one.emptyWhenHealthy))('shows on a calm day: $about', async (one) => {
    expect(shownOf(await look('calm', one)).length).toBeGreaterThan(0);
  });

  it.each(asked.filter((one) => one.emptyWhenHealthy))('shows when all goes wrong: $about', async (one) => {
    const shown = [...(await look('faulty', one)), ...(await look('incidents', one))];
    expect(shownOf(shown).length).toBeGreaterThan(0);
  });

  it('take a host that is away for no partition without a replica, as the rule does', async () => {
    const panel =
      asked.find(({ about }) => about === 'cluster: Partitions without an online replica A') ?? expect.fail();
    const shown = shownOf(await look('faulty', panel)).map(({ labels }) => labels.service_name);
    expect(new Set(shown)).toEqual(new Set(['GPE']));
    const kept = 'graphdb_partition_online_replicas{service_name!="GPE"} == 0';
    expect((await queryRange(prometheus, kept, span)).length).toBeGreaterThan(0);
  });

  it('names the reason of each failed poll and shows successful polls as success', async () => {
    const timeline = asked.find(({ about }) => about === 'graphwarden: Last poll of each collector A') ?? expect.fail();
    const numbers = new Set((await look('faulty', timeline)).flatMap(({ values }) => values));
    for (const reason of ['unreachable', 'body'] as const)
      expect(numbers).toContain(failureReasons.indexOf(reason) + 1);
    expect(numbers).toContain(0);
  });

  it.each(asked)('names what it shows: $about', async (one) => {
    const perJob = await Promise.all(scenarios.map((job) => look(job, one)));
    const labels = legendLabels(one.legend);
    const shown = perJob.flatMap(shownOf);
    expect(labels.filter((label) => shown.every((series) => series.labels[label] === undefined))).toEqual([]);
    if (unnamed.includes(one.type)) return;
    for (const series of perJob) {
      const names = series.map((each) => labels.map((label) => each.labels[label] ?? '').join(' '));
      expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
    }
  });

  describe.skipIf(findTool('grafana-fields') === undefined)('as Grafana resolves them', () => {
    const reports: PanelReport[] = [];
    let played: readonly (PanelInput & { readonly name: string; readonly scenario: ScenarioJob })[];

    beforeAll(async () => {
      const pairs = scenarios.flatMap((scenario) => allPanels.map((one) => ({ ...one, scenario })));
      played = await Promise.all(
        pairs.map(async ({ scenario, ...one }) => {
          const source = {
            prometheus,
            span,
            interpolate: (expr: string) => interpolate(expr, { job: scenario, ...all }),
          };
          return { ...one, scenario, frames: await framesFor(one.panel, source) };
        }),
      );
    }, 120_000);

    afterAll(() => writeReport(reports));

    it.each(grafanaVersions)('show what is true, in Grafana %s', async (version) => {
      const resolved = await resolvePanels(version, played);
      const found = played.map(({ name: dashboard, scenario, panel }, at) =>
        inspect({ dashboard, scenario, version, panel, fields: resolved[at] ?? [] }, truths[scenario], span.to * 1000),
      );
      reports.push(...found);
      expect(found.filter(({ differences }) => differences.length > 0)).toEqual([]);
      expect(found.filter(({ values }) => values > 0).length).toBeGreaterThan(allPanels.length);
    });

    it.each(grafanaVersions)('list every instance that is not online, in Grafana %s', async (version) => {
      for (const scenario of scenarios) {
        const input = playedPanel('Instances not online', scenario);
        const [rows = []] = await resolvePanels(version, [input]);
        const column = (source: string): readonly string[] =>
          rows
            .find((one) => one.source === source)
            ?.values.map(({ raw, text }) => (typeof raw === 'string' ? raw : text)) ?? [];
        const listed = new Set(
          column('service_name').map((service, row) => {
            const [cluster, partition, replica, status] = ['cluster_name', 'partition', 'replica', 'Value #A'].map(
              (source) => column(source)[row] ?? '',
            );
            return `${cluster} ${service} ${partition}#${replica} ${status}`;
          }),
        );
        expect(truths[scenario].lastingTroubles(span.to * 1000).filter((trouble) => !listed.has(trouble))).toEqual([]);
      }
    });

    it.each(grafanaVersions)(
      'would not show the states if colors followed thresholds, in Grafana %s',
      async (version) => {
        const { panel, frames, scenario } = playedPanel('Status of every service instance', 'faulty');
        const { defaults, overrides } = panel.fieldConfig ?? expect.fail();
        const fieldConfig = { defaults: { ...defaults, color: { mode: 'thresholds' } }, overrides };
        const [fields = []] = await resolvePanels(version, [{ panel: { ...panel, fieldConfig }, frames }]);
        const found = inspect(
          { dashboard: 'cluster', scenario, version, panel, fields },
          truths[scenario],
          span.to * 1000,
        );
        expect(found.differences.some((text) => /: 27 is shown as «< 80», not as «Down»/.test(text))).toBe(true);
        expect(found.differences.some((text) => /27 has the color #73BF69, not red/.test(text))).toBe(true);
      },
    );

    const playedPanel = (title: string, scenario: ScenarioJob) =>
      played.find((one) => one.panel.title === title && one.scenario === scenario) ?? expect.fail(title);

    it.each(grafanaVersions)('say why they have no data, in Grafana %s', async (version) => {
      const resolved = await resolvePanels(
        version,
        allPanels.map(({ panel }) => ({ panel, frames: [] })),
      );
      for (const [at, { panel }] of allPanels.entries()) {
        expect(panel.fieldConfig?.defaults.noValue, panel.title).toMatch(/^No data: .*Prometheus has no series/);
        const shown = resolved[at]?.flatMap(({ values }) => values) ?? expect.fail();
        for (const { text, color } of shown)
          expect([text, color]).toEqual([panel.fieldConfig?.defaults.noValue, '#8e8e8e']);
        expect(shown.length).toBe(panel.type === 'stat' ? 1 : 0);
      }
    });
  });
});

/** Series with a value that is a number. */
function shownOf(series: readonly ResultSeries[]): readonly ResultSeries[] {
  return series.filter(({ values }) => values.length > 0);
}
