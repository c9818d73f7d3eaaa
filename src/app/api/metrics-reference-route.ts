import { alertingMetrics } from '../../alert/alerting-metrics.ts';
import { metricCatalog } from '../../collect/collector.ts';
import { probeMetrics } from '../../collect/probes/probe-collector.ts';
import type { Metric } from '../../metric/metric.ts';
import { deliveryMetrics } from '../../notify/delivery-metrics.ts';
import { trackerMetrics } from '../../track/tracker-metrics.ts';
import { recordingMetrics } from '../guard/flight-recorder.ts';
import { guardMetrics } from '../guard/guard-metrics.ts';
import { ownerMetrics, replicaMetrics } from '../page/ownership-metrics.ts';
import { queryAgeMetrics } from '../page/query-ages.ts';
import { clusterMetrics, stateMetrics } from '../page/self-metrics.ts';
import { telemetryMetrics } from '../page/telemetry-metrics.ts';
import { callMetrics } from '../poll/call-metrics.ts';
import { collectorMetrics } from '../poll/collector-status.ts';
import { droppedSeriesMetrics } from '../poll/dropped-series.ts';
import { inventoryMetrics } from '../poll/inventory-changes.ts';
import { probeHistoryMetrics } from '../poll/probe-history.ts';
import { admissionMetrics } from './admission.ts';
import { documentOf, type Html, html } from './html-document.ts';
import { htmlReply } from './reply.ts';
import type { RouteDependencies } from './route-dependencies.ts';
import type { Route } from './routes.ts';

/** Returns the route of the metrics reference of the running version. */
export function metricsReferenceRoute({ parts }: Pick<RouteDependencies, 'parts'>, prefix: () => string): Route {
  return {
    method: 'GET',
    path: '/docs/metrics',
    about: 'Returns the metrics reference.',
    response: { type: 'text/html' },
    handle: async () => {
      const body = [...referenceSections(parts.collectors, prefix())];
      return htmlReply(documentOf({ title: 'Metrics · graphwarden', body }));
    },
  };
}

function* referenceSections(collectors: RouteDependencies['parts']['collectors'], prefix: string): Generator<Html> {
  const catalogue = [...metricCatalog(collectors).values()];
  yield html`<header><h1>Metrics</h1><p><a href="${prefix}/">graphwarden</a></p></header>
<p>Every series about a cluster carries <code>cluster_name</code> and the cluster's own labels. Gauges disappear
when a poll fails or is overdue; counters and the latest result of a check stay. The page also contains the server's own
families, and <code>process_*</code> and <code>nodejs_*</code> of this process.</p>`;
  for (const { name, about, privilege } of collectors) {
    const shown = catalogue.filter(({ collectors: by }) => by[0] === name);
    yield html`<h2>${name}</h2><p>${about} Required privilege: ${privilege === '' ? 'none' : privilege}.</p>`;
    yield metricTable(shown.map(({ metric, scope }) => metricRow(metric, scope === 'node' ? ['node'] : [])));
  }
  yield html`<h2>Queries over time</h2><p>Derived from successive lists of the collector <code>queries</code>.</p>`;
  yield metricTable(queryAgeMetrics.map((metric) => metricRow(metric, [])));
  yield html`<h2>Changes of the server</h2><p>Derived from successive lists of <code>endpoints</code> and <code>query_definitions</code>.</p>`;
  yield metricTable(inventoryMetrics.map((metric) => metricRow(metric, [])));
  yield html`<h2>Probes</h2><p>From the probes of the configuration; <code>node</code> is empty for a probe with <code>nodes: one</code>.</p>`;
  yield metricTable([...probeMetrics, ...probeHistoryMetrics].map((metric) => metricRow(metric, ['node'])));
  yield html`<h2>Services over time</h2><p>From the tracker, which uses <code>services</code> and <code>metrics</code>.</p>`;
  yield metricTable(trackerMetrics.map((metric) => metricRow(metric, [])));
  yield html`<h2>Alerts</h2><p>Alert rules, notifications and receivers.</p>`;
  yield metricTable([...alertingMetrics, ...deliveryMetrics].map((metric) => metricRow(metric, [])));
  yield html`<h2>graphwarden itself</h2>`;
  yield metricTable([
    ...collectorMetrics.map((metric) => metricRow(metric, ['node'])),
    ...[
      clusterMetrics,
      callMetrics,
      guardMetrics,
      recordingMetrics,
      stateMetrics,
      ownerMetrics,
      replicaMetrics,
      telemetryMetrics,
      droppedSeriesMetrics,
      admissionMetrics,
    ]
      .flat()
      .map((metric) => metricRow(metric, [])),
  ]);
}

function metricTable(rows: readonly Html[]): Html {
  return html`<table><thead><tr><th>name<th>type<th>labels<th>meaning<th>source</tr></thead>
${rows}</table>`;
}

function metricRow({ name, type, labels, help, source }: Metric, before: readonly string[]): Html {
  const all = [...before, ...labels].join(', ');
  return html`<tr><td><code>${name}</code><td>${type}<td>${all}<td>${help}<td>${source}</tr>
`;
}
