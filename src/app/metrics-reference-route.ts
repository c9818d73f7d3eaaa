import { alertingMetrics } from '../alert/alerting-metrics.ts';
import { catalogueOf } from '../collect/catalogue.ts';
import type { Metric } from '../metric/metric.ts';
import { deliveryMetrics } from '../notify/delivery-metrics.ts';
import { trackerMetrics } from '../track/tracker-metrics.ts';
import { queryAgeMetrics } from './age-histograms.ts';
import { callMetrics } from './call-metrics.ts';
import { clusterMetrics } from './cluster-metrics.ts';
import { collectorMetrics } from './collector-metrics.ts';
import { guardMetrics } from './guard-metrics.ts';
import { stateMetrics } from './incident-metrics.ts';
import { documentOf } from './landing/document.ts';
import { type Html, html } from './landing/html.ts';
import { pageMetrics } from './page-metrics.ts';
import type { Route } from './routes.ts';
import type { Site } from './site.ts';
import { tracingMetrics } from './tracing-metrics.ts';

/** `/docs/metrics`: what each family means, printed by the very version that serves them. */
export function metricsReferenceRoute({ parts }: Pick<Site, 'parts'>, prefix: () => string): Route {
  return {
    method: 'GET',
    path: '/docs/metrics',
    about: 'What each metric means and where it comes from.',
    gives: { type: 'text/html' },
    handle: async () => ({
      status: 200,
      headers: { 'content-type': 'text/html; charset=utf-8' },
      body: documentOf({ title: 'Metrics · graphwarden', body: [...reference(parts.collectors, prefix())] }),
    }),
  };
}

function* reference(collectors: Site['parts']['collectors'], prefix: string): Generator<Html> {
  const catalogue = [...catalogueOf(collectors).values()];
  yield html`<header><h1>Metrics</h1><p><a href="${prefix}/">graphwarden</a></p></header>
<p>Every series about a cluster carries <code>cluster_name</code> and the cluster's own labels. Gauges go when a reading
fails or is overdue; counters and the last result of a check stay. Beside these there are the server's own families, and
<code>process_*</code> and <code>nodejs_*</code> about this process.</p>`;
  for (const { name, about, privilege } of collectors) {
    const shown = catalogue.filter(({ collectors: by }) => by[0] === name);
    yield html`<h2>${name}</h2><p>${about} Needs on the server: ${privilege === '' ? 'no privilege' : privilege}.</p>`;
    yield table(shown.map(({ metric, scope }) => row(metric, scope === 'node' ? ['node'] : [])));
  }
  yield html`<h2>Queries over time</h2><p>What lists of <code>queries</code> tell when one comes after the other.</p>`;
  yield table(queryAgeMetrics.map((metric) => row(metric, [])));
  yield html`<h2>Services over time</h2><p>What the tracker makes of <code>services</code> and <code>metrics</code>.</p>`;
  yield table(trackerMetrics.map((metric) => row(metric, [])));
  yield html`<h2>Alerts</h2><p>What the rules make of all that, and what receivers took of it.</p>`;
  yield table([...alertingMetrics, ...deliveryMetrics].map((metric) => row(metric, [])));
  yield html`<h2>About graphwarden itself</h2>`;
  yield table([
    ...collectorMetrics.map((metric) => row(metric, ['node'])),
    ...[clusterMetrics, callMetrics, guardMetrics, stateMetrics, tracingMetrics, pageMetrics]
      .flat()
      .map((metric) => row(metric, [])),
  ]);
}

function table(rows: readonly Html[]): Html {
  return html`<table><thead><tr><th>name<th>type<th>labels<th>meaning<th>source</tr></thead>
${rows}</table>`;
}

function row({ name, type, labels, help, source }: Metric, before: readonly string[]): Html {
  const all = [...before, ...labels].join(', ');
  return html`<tr><td><code>${name}</code><td>${type}<td>${all}<td>${help}<td>${source}</tr>
`;
}
