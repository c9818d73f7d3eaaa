import { alertingMetrics } from '../src/alert/alerting-metrics.ts';
import { callMetrics } from '../src/app/call-metrics.ts';
import { clusterMetrics } from '../src/app/cluster-metrics.ts';
import { collectorMetrics } from '../src/app/collector-metrics.ts';
import { guardMetrics, pauseSamples } from '../src/app/guard-metrics.ts';
import { stateMetrics } from '../src/app/incident-metrics.ts';
import { pageMetrics } from '../src/app/page-metrics.ts';
import { tracingMetrics } from '../src/app/tracing-metrics.ts';
import type { Metric } from '../src/metric/metric.ts';
import { deliveryMetrics } from '../src/notify/delivery-metrics.ts';
import { createSelfMetrics } from '../src/runtime/self-metrics.ts';

/** A family about ourselves. */
export interface OwnFamily {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly labels: readonly string[];
  readonly source: string;
}

/** What the guard says of itself as a whole. */
const ofNoCluster = new Set(pauseSamples({ isPaused: false, reasons: [] }).map(({ metric }) => metric.name));

/** Families about our own reading, about the clusters as we reach them, about alerts, and about this process. */
export function ownFamilies(): readonly OwnFamily[] {
  return [
    ...collectorMetrics.map((metric) => declared(metric, ['cluster_name', 'node'])),
    ...callMetrics.map((metric) => declared(metric, ['cluster_name'])),
    ...clusterMetrics.map((metric) => declared(metric, ['cluster_name'])),
    ...alertingMetrics.map((metric) => declared(metric, ['cluster_name'])),
    ...deliveryMetrics.map((metric) => declared(metric, [])),
    ...guardMetrics.map((metric) => declared(metric, ofNoCluster.has(metric.name) ? [] : ['cluster_name'])),
    ...stateMetrics.map((metric) => declared(metric, [])),
    ...tracingMetrics.map((metric) => declared(metric, [])),
    ...pageMetrics.map((metric) => declared(metric, [])),
    ...processFamilies(),
  ];
}

function declared({ name, type, help, labels, source }: Metric, before: readonly string[]): OwnFamily {
  return { name, type, help, labels: [...before, ...labels], source };
}

function processFamilies(): readonly OwnFamily[] {
  const self = createSelfMetrics({ version: '', commit: '' });
  self.stop();
  return self.metrics.map(({ name, type, help, labels }) => ({ name, type, help, labels, source: 'this process' }));
}
