import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { failureReasons } from '../../src/kernel/failure.ts';
import { dashboards } from '../../tools/generate/dashboards/all.ts';
import { eventually } from '../support/child.ts';
import { type Prometheus, type ScrapeConfig, startPrometheus } from '../support/prometheus.ts';
import { findTool } from '../support/tools.ts';
import { committed, type DashboardModel, panelsOf } from '../tools/generate/dashboards/model.ts';
import { legendLabels } from '../tools/generate/dashboards/selectors.ts';
import { type DashboardDaemon, type FaultyDaemon, openFaultyDaemon, openHealthyDaemon } from './dashboard-daemons.ts';
import { interpolate, labelNames, queryRange, type ResultSeries, type TimeRange, valuesOf } from './panel-results.ts';

/** One query of a panel or a mark. */
interface Asked {
  readonly about: string;
  readonly expr: string;
  readonly legend: string;
  readonly type: string;
  readonly emptyWhenHealthy: boolean;
}

/** Looks that show a series by all its labels, or several at one place. */
const unnamed = ['table', 'heatmap', 'mark'];
const all = { instance: '.+', cluster_name: '.*', node: '.*', graph: '.*' };
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

/** What is known of a pod becomes a label. */
function attached(meta: string, label: string): object {
  return { source_labels: [`__meta_kubernetes_${meta}`], target_label: label };
}

/** As an operator for Prometheus scrapes a pod behind a service: it attaches what it knows of them. */
function operated(job: string, address: string): ScrapeConfig {
  const port = address.split(':')[1];
  const pods = [`127.0.0.1:${port}`, `localhost:${port}`];
  return {
    job_name: `serviceMonitor/monitoring/${job}/0`,
    honor_labels: false,
    static_configs: pods.map((target, at) => ({
      targets: [target],
      labels: {
        __meta_kubernetes_namespace: 'monitoring',
        __meta_kubernetes_service_name: job,
        __meta_kubernetes_pod_name: `${job}-${at}`,
        __meta_kubernetes_pod_container_name: 'graphwarden',
      },
    })),
    relabel_configs: [
      attached('namespace', 'namespace'),
      attached('service_name', 'service'),
      attached('pod_name', 'pod'),
      attached('pod_container_name', 'container'),
      attached('service_name', 'job'),
      { target_label: 'endpoint', replacement: 'metrics' },
    ],
  };
}

describe.skipIf(findTool('prometheus') === undefined)('the dashboards over a Prometheus', () => {
  let prometheus: Prometheus;
  let calm: DashboardDaemon;
  let faulty: FaultyDaemon;
  let span: TimeRange;

  beforeAll(async () => {
    [calm, faulty] = await Promise.all([openHealthyDaemon(), openFaultyDaemon()]);
    prometheus = await startPrometheus([operated('calm', calm.address), operated('faulty', faulty.address)]);
    const from = Date.now() / 1000;
    await prometheus.scraped();
    await faulty.injectFaults();
    const last = 'increase(graphwarden_guard_outcomes_total{outcome="still_running"}[1m]) > 0';
    await eventually('the last abort is over', async () => (await prometheus.query(last)).length > 0, 120_000);
    await prometheus.scraped();
    span = { from, to: Date.now() / 1000 };
  }, 300_000);

  afterAll(async () => {
    await prometheus.stop();
    await Promise.all([calm.stop(), faulty.stop()]);
  });

  const look = (job: string, { expr }: Asked): Promise<readonly ResultSeries[]> =>
    queryRange(prometheus, interpolate(expr, { job, ...all }), span);

  it('counts each fact once when two pods report it', async () => {
    const table = asked.find(({ about }) => about === 'fleet: Clusters B');
    const nodes = await queryRange(prometheus, interpolate(table?.expr ?? '', { job: 'calm', ...all }), span);
    expect(nodes.map(({ labels, values }) => [labels, values.at(-1)])).toEqual([[{ cluster_name: 'simulated' }, 3]]);
  });

  it('hold under the labels that an operator attaches, and none of ours gives way to them', async () => {
    const labels = await labelNames(prometheus, '{job="calm"}');
    expect(labels).toEqual(expect.arrayContaining(['namespace', 'service', 'endpoint', 'pod', 'container', 'job']));
    expect(labels.filter((label) => label.startsWith('exported_'))).toEqual([]);
  });

  it.each(asked)('shows only what is chosen: $about', async ({ expr }) => {
    const chosen = { job: 'calm', instance: '.+', cluster_name: 'simulated', node: 'm1', graph: 'fraud' };
    for (const { labels } of await queryRange(prometheus, interpolate(expr, chosen), span)) {
      const { node = 'm1', graph = 'fraud', cluster_name: cluster = 'simulated' } = labels;
      expect([cluster, node, graph]).toEqual(['simulated', 'm1', 'fraud']);
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
    expect(shownOf(await look('faulty', one)).length).toBeGreaterThan(0);
  });

  it('take a host that is away for no partition without a replica, as the rule does', async () => {
    const panel =
      asked.find(({ about }) => about === 'cluster: Partitions without an online replica A') ?? expect.fail();
    const shown = shownOf(await look('faulty', panel)).map(({ labels }) => labels.service_name);
    expect(new Set(shown)).toEqual(new Set(['GPE']));
    const kept = 'graphdb_partition_online_replicas{service_name!="GPE"} == 0';
    expect((await prometheus.query(kept)).length).toBeGreaterThan(0);
  });

  it('names the reason of each failed poll and shows successful polls as success', async () => {
    const timeline = asked.find(({ about }) => about === 'graphwarden: Last poll of each collector A') ?? expect.fail();
    const numbers = new Set((await look('faulty', timeline)).flatMap(({ values }) => values));
    for (const reason of ['unreachable', 'body'] as const)
      expect(numbers).toContain(failureReasons.indexOf(reason) + 1);
    expect(numbers).toContain(0);
  });

  it.each(asked)('names what it shows: $about', async (one) => {
    const perJob = await Promise.all(['calm', 'faulty'].map((job) => look(job, one)));
    const labels = legendLabels(one.legend);
    const shown = perJob.flatMap(shownOf);
    expect(labels.filter((label) => shown.every((series) => series.labels[label] === undefined))).toEqual([]);
    if (unnamed.includes(one.type)) return;
    for (const series of perJob) {
      const names = series.map((each) => labels.map((label) => each.labels[label] ?? '').join(' '));
      expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
    }
  });
});

/** Series with a value that is a number. */
function shownOf(series: readonly ResultSeries[]): readonly ResultSeries[] {
  return series.filter(({ values }) => values.length > 0);
}
