import { alertingMetrics } from '../../src/alert/alerting-metrics.ts';
import { admissionMetrics } from '../../src/app/api/admission.ts';
import { recordingMetrics } from '../../src/app/guard/flight-recorder.ts';
import { guardMetrics } from '../../src/app/guard/guard-metrics.ts';
import { ownerMetrics, replicaMetrics } from '../../src/app/page/ownership-metrics.ts';
import { clusterMetrics, stateMetrics } from '../../src/app/page/self-metrics.ts';
import { telemetryMetrics } from '../../src/app/page/telemetry-metrics.ts';
import { callMetrics } from '../../src/app/poll/call-metrics.ts';
import { collectorMetrics } from '../../src/app/poll/collector-status.ts';
import { droppedSeriesMetrics } from '../../src/app/poll/dropped-series.ts';
import type { Metric } from '../../src/metric/metric.ts';
import { deliveryMetrics } from '../../src/notify/delivery-metrics.ts';
import { createSelfMetrics } from '../../src/runtime/self-metrics.ts';

/** Metric family about graphwarden itself. */
export interface SelfMetricFamily {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly labels: readonly string[];
  readonly source: string;
}

/** Returns the families about polls, the reachability of clusters, alerts, notifications, the guard, state and this process. */
export function selfMetricFamilies(): readonly SelfMetricFamily[] {
  return [
    ...collectorMetrics.map((metric) => declaredFamily(metric, ['cluster_name', 'node'])),
    ...callMetrics.map((metric) => declaredFamily(metric, ['cluster_name'])),
    ...[...clusterMetrics, ...ownerMetrics].map((metric) => declaredFamily(metric, ['cluster_name'])),
    ...alertingMetrics.map((metric) => declaredFamily(metric, ['cluster_name'])),
    ...deliveryMetrics.map((metric) => declaredFamily(metric, [])),
    ...guardMetrics.map((metric) => declaredFamily(metric, ['cluster_name'])),
    ...[...recordingMetrics, ...stateMetrics, ...admissionMetrics].map((metric) => declaredFamily(metric, [])),
    ...[...telemetryMetrics, ...replicaMetrics].map((metric) => declaredFamily(metric, [])),
    ...droppedSeriesMetrics.map((metric) => declaredFamily(metric, ['cluster_name'])),
    ...processFamilies(),
  ];
}

function declaredFamily({ name, type, help, labels, source }: Metric, before: readonly string[]): SelfMetricFamily {
  return { name, type, help, labels: [...before, ...labels], source };
}

function processFamilies(): readonly SelfMetricFamily[] {
  const self = createSelfMetrics({ version: '', commit: '' });
  self.stop();
  return self.metrics.map(({ name, type, help, labels }) => ({ name, type, help, labels, source: 'this process' }));
}
