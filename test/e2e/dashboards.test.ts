import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { failureReasons } from '../../src/kernel/failure.ts';
import { scenarioNames } from '../../src/simulator/world/scenarios.ts';
import { eventually } from '../support/child.ts';
import { type Prometheus, startPrometheus } from '../support/prometheus.ts';
import { findTool } from '../support/tools.ts';
import { committed, panelsOf } from '../tools/generate/dashboards/model.ts';
import { legendLabels } from '../tools/generate/dashboards/selectors.ts';
import { openFaultyDaemon, openHealthyDaemon, openIncidentsDaemon, shownScenarios } from './dashboard-daemons.ts';
import { inspect, type PanelReport, writeReport } from './dashboard-gate.ts';
import { type Drawing, type DrawnPanel, openDashboardBrowser } from './dashboard-pictures.ts';
import { type PanelQuery, queries, queryOf } from './dashboard-queries.ts';
import { awaitedQueries, firstQueries, scrapedByOperator, scrapeInterval } from './dashboard-settings.ts';
import { calmTruth, endLog, logTruth, type TruthLog, timeOfStatuses } from './dashboard-truth.ts';
import { grafanaVersions, type PanelInput, resolvePanels } from './grafana-fields.ts';
import { framesFor } from './panel-frames.ts';
import {
  interpolate,
  labelNames,
  queryInstant,
  queryRange,
  type ResultSeries,
  shownOf,
  type TimeRange,
  valuesOf,
} from './panel-results.ts';
import { pictureDifferences } from './picture-differences.ts';

/** Looks that show a series by all its labels, or several at one place. */
const unnamed = ['table', 'heatmap', 'mark'];
const all = { instance: '.+', cluster_name: '.*', node: '.*', graph: '.*', service_name: '.*' };
/** Panels as Grafana gets them, with the name of their dashboard. */
const allPanels = committed.flatMap(([name, dashboard]) => panelsOf(dashboard).map((panel) => ({ name, panel })));
const scenarios = ['calm', 'faulty', 'incidents'] as const;
type ScenarioJob = (typeof scenarios)[number];
const variables = committed[0]?.[1].templating.list.filter(({ type }) => type === 'query') ?? [];

describe.skipIf(findTool('prometheus') === undefined)('the dashboards over a Prometheus', () => {
  let prometheus: Prometheus;
  let truths: Readonly<Record<ScenarioJob, TruthLog>>;
  let span: TimeRange;

  beforeAll(async () => {
    const daemons = await Promise.all([openHealthyDaemon(), openFaultyDaemon(), openIncidentsDaemon()]);
    const [calm, faulty, incidents] = daemons;
    try {
      truths = { calm: calmTruth, faulty: logTruth(faulty), incidents: logTruth(incidents) };
      const jobs = Object.entries({ calm, faulty, incidents }).map(([job, { address }]) =>
        scrapedByOperator(job, address),
      );
      // A scrape may take as long as the interval, and on a busy machine it does.
      prometheus = await startPrometheus(jobs, `${scrapeInterval}ms`);
      const from = Date.now() / 1000;
      await prometheus.scraped();
      const shown = (query: string) =>
        eventually(query, async () => (await prometheus.query(query)).length > 0, 300_000);
      await faulty.injectFaults();
      for (const query of firstQueries) await shown(query);
      faulty.skipZeroPeriod();
      truths.faulty.noteClockChange();
      for (const query of awaitedQueries) await shown(query);
      span = { from, to: await timeOfStatuses(prometheus) };
      const end = (truth: TruthLog): Promise<TruthLog> => endLog(truth, prometheus);
      // On a busy machine, nodes of the calm cluster answer late as well.
      const calmEnd = await end(calmTruth);
      truths = { calm: calmEnd, faulty: await end(truths.faulty), incidents: await end(truths.incidents) };
    } finally {
      // Everything that the tests look at is stored now.
      await Promise.all(daemons.map((daemon) => daemon.stop()));
    }
  }, 1_200_000);

  afterAll(() => prometheus.stop());

  const answers = new Map<string, Promise<readonly ResultSeries[]>>();
  /** Runs each expression once for each scenario. */
  const range = (job: ScenarioJob, expr: string): Promise<readonly ResultSeries[]> => {
    const expression = interpolate(expr, { job, ...all });
    const answer = answers.get(expression) ?? queryRange(prometheus, expression, span);
    answers.set(expression, answer);
    return answer;
  };
  const look = (job: ScenarioJob, { expr }: PanelQuery) => range(job, expr);

  it('count each fact once when two pods report it', async () => {
    const shown = await look('calm', queryOf('cluster: Online replicas A'));
    const replicas = shown.filter(({ labels }) => labels.service_name === 'GPE');
    expect(replicas.length).toBeGreaterThan(0);
    for (const { values } of replicas) expect([1, 2, 3]).toContain(values.at(-1));
  });

  it('work with the labels of a Prometheus operator, without a label collision', async () => {
    const labels = await labelNames(prometheus, '{job="calm"}');
    expect(labels).toEqual(expect.arrayContaining(['namespace', 'service', 'endpoint', 'pod', 'container', 'job']));
    expect(labels.filter((label) => label.startsWith('exported_'))).toEqual([]);
  });

  it.each(queries)('show only the selected series: $about', async ({ expr }) => {
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

  it.each(variables)('have values for the variable $name', async ({ query }) => {
    for (const job of ['calm', 'faulty']) {
      expect(await valuesOf(prometheus, interpolate(query, { job, ...all }))).not.toEqual([]);
    }
  });

  it.each(queries.filter((one) => !one.emptyWhenHealthy))('show values in the scenario calm: $about', async (one) => {
    expect(shownOf(await look('calm', one)).length).toBeGreaterThan(0);
  });

  it.each(queries.filter((one) => one.emptyWhenHealthy))('show values while faults occur: $about', async (one) => {
    const shown = [...(await look('faulty', one)), ...(await look('incidents', one))];
    expect(shownOf(shown).length).toBeGreaterThan(0);
  });

  it('do not count an unreachable host as a partition without a replica, like the rule', async () => {
    const shown = shownOf(await look('faulty', queryOf('cluster: Partitions without an online replica A')));
    expect(new Set(shown.map(({ labels }) => labels.service_name))).toEqual(new Set(['GPE']));
    const kept = 'graphdb_partition_online_replicas{service_name!="GPE"} == 0';
    expect((await queryRange(prometheus, kept, span)).length).toBeGreaterThan(0);
  });

  it('get no error for exemplars that Prometheus does not store', async () => {
    const targets = allPanels.flatMap(({ panel }) => panel.targets.filter(({ exemplar }) => exemplar === true));
    const expressions = targets.map(({ expr }) => interpolate(expr, { job: 'faulty', ...all }));
    expect(await Promise.all(expressions.map((one) => prometheus.exemplars(one)))).toEqual(expressions.map(() => []));
    expect(expressions.length).toBeGreaterThan(0);
  });

  it('cover every scenario of the simulator', () => {
    expect(shownScenarios.toSorted()).toEqual(scenarioNames.toSorted());
  });

  it('name the reason of each failed poll and show successful polls as success', async () => {
    const jobs = ['faulty', 'incidents'] as const;
    const shown = await Promise.all(
      jobs.map((job) => look(job, queryOf('graphwarden: Last poll of each collector A'))),
    );
    const numbers = new Set(shown.flat().flatMap(({ values }) => values));
    for (const reason of ['timeout', 'unreachable', 'status', 'body'] as const)
      expect(numbers, reason).toContain(failureReasons.indexOf(reason) + 1);
    expect(numbers).toContain(0);
  });

  it.each(queries)('have legends that distinguish the series: $about', async (one) => {
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
    let panels: readonly (PanelInput & { readonly name: string; readonly scenario: ScenarioJob })[];
    /** A panel whose colors follow thresholds. */
    let thresholds: PanelInput;
    const empty: readonly PanelInput[] = allPanels.map(({ panel }) => ({ panel, frames: [] }));
    const resolved = new Map<string, Awaited<ReturnType<typeof resolvePanels>>>();
    const fieldsOf = (version: string, input: PanelInput) => resolved.get(version)?.get(input) ?? expect.fail(version);
    const panelOf = (title: string, scenario: ScenarioJob) =>
      panels.find((one) => one.panel.title === title && one.scenario === scenario) ?? expect.fail(title);
    const inspected = (version: string, one: (typeof panels)[number], input: PanelInput = one) =>
      inspect(
        { dashboard: one.name, scenario: one.scenario, version, panel: input.panel, fields: fieldsOf(version, input) },
        truths[one.scenario],
        span.to * 1000,
      );

    beforeAll(async () => {
      const pairs = scenarios.flatMap((scenario) => allPanels.map((one) => ({ ...one, scenario })));
      panels = await Promise.all(
        pairs.map(async (one) => {
          const instant = (expr: string) =>
            queryInstant(prometheus, interpolate(expr, { job: one.scenario, ...all }), span.to);
          return {
            ...one,
            frames: await framesFor(one.panel, { range: (expr) => range(one.scenario, expr), instant }),
          };
        }),
      );
      const { panel, frames } = panelOf('Status of every service instance', 'faulty');
      const { defaults, overrides } = panel.fieldConfig ?? expect.fail();
      const fieldConfig = { defaults: { ...defaults, color: { mode: 'thresholds' } }, overrides };
      thresholds = { panel: { ...panel, fieldConfig }, frames };
      const inputs = [...panels, thresholds, ...empty];
      const resolve = async (version: (typeof grafanaVersions)[number]) =>
        resolved.set(version, await resolvePanels(version, inputs));
      await Promise.all(grafanaVersions.map(resolve));
    }, 300_000);

    afterAll(() => writeReport(reports));

    it.each(grafanaVersions)('show the values of Prometheus, in Grafana %s', (version) => {
      const found = panels.map((one) => inspected(version, one));
      reports.push(...found);
      expect(found.filter(({ differences }) => differences.length > 0)).toEqual([]);
      expect(found.filter(({ values }) => values > 0).length).toBeGreaterThan(allPanels.length);
    });

    it.each(grafanaVersions)('list every instance that is not online, in Grafana %s', (version) => {
      for (const scenario of scenarios) {
        const rows = fieldsOf(version, panelOf('Instances not online', scenario));
        const column = (source: string): readonly string[] =>
          rows
            .find((one) => one.source === source)
            ?.values.map(({ raw, text }) => (typeof raw === 'string' ? raw : text)) ?? [];
        const listed = new Set(
          column('service_instance').map((instance, row) => {
            const [cluster, status] = ['cluster_name', 'Value #A'].map((source) => column(source)[row] ?? '');
            return `${cluster} ${instance} ${status}`;
          }),
        );
        expect(truths[scenario].lastingProblems(span.to * 1000).filter((one) => !listed.has(one))).toEqual([]);
      }
    });

    it.each(grafanaVersions)('would not show the states if colors followed thresholds, in Grafana %s', (version) => {
      const { differences } = inspected(version, panelOf('Status of every service instance', 'faulty'), thresholds);
      expect(differences.some((text) => /: 27 is shown as «< 80», not as «Down»/.test(text))).toBe(true);
      expect(differences.some((text) => /27 has the color #73BF69, not red/.test(text))).toBe(true);
    });

    describe.skipIf(findTool('chromium') === undefined)('and a browser draws them', () => {
      let wide: ReadonlyMap<string, readonly DrawnPanel[]>;
      let narrow: typeof wide;
      const pictures = committed.flatMap(([name, dashboard]) =>
        (['faulty', 'incidents'] as const).map((scenario) => ({ name, dashboard, scenario })),
      );
      const drawingOf = ({ name, dashboard, scenario }: (typeof pictures)[number]): Drawing => {
        const own = panels.filter((one) => one.name === name && one.scenario === scenario);
        const frames = new Map(own.map(({ panel, frames: answer }) => [panel.title, answer]));
        return { name: `${name}-${scenario}`, dashboard, frames };
      };

      beforeAll(async () => {
        const browser = await openDashboardBrowser();
        try {
          const onPhone = pictures.filter(({ scenario }) => scenario === 'incidents');
          wide = await browser.draw({ drawings: pictures.map(drawingOf), span, width: 1920 });
          narrow = await browser.draw({ drawings: onPhone.map(drawingOf), span, width: 400 });
        } finally {
          await browser.close();
        }
      });

      it.each(pictures)('show $name in the scenario $scenario on a wide screen', ({ name, scenario }) => {
        const drawn = wide.get(`${name}-${scenario}`) ?? expect.fail(name);
        const own = panels.filter((one) => one.name === name && one.scenario === scenario);
        const found = own.flatMap((one, at) =>
          pictureDifferences({
            panel: one.panel,
            drawn: drawn[at] ?? expect.fail(one.panel.title),
            fields: fieldsOf('12.3', one),
          }),
        );
        expect(found).toEqual([]);
        expect(drawn.map(({ title }) => title)).toEqual(own.map(({ panel }) => panel.title));
      });

      it.each(committed)('show %s on a narrow screen', (name, dashboard) => {
        const drawn = narrow.get(`${name}-incidents`) ?? expect.fail(name);
        expect(drawn.length).toBe(panelsOf(dashboard).length);
        expect(drawn.filter(({ failure, overflow }) => failure !== '' || overflow > 0)).toEqual([]);
      });
    });

    it.each(grafanaVersions)('show the reason if they have no data, in Grafana %s', (version) => {
      for (const input of empty) {
        const { fieldConfig, title, type } = input.panel;
        expect(fieldConfig?.defaults.noValue, title).toMatch(/^No data: .*Prometheus has no series/);
        const values = fieldsOf(version, input).flatMap((field) => field.values);
        for (const { text, color } of values) expect([text, color]).toEqual(['unknown', '#8e8e8e']);
        expect(values.length).toBe(type === 'stat' ? 1 : 0);
      }
    });
  });
});
