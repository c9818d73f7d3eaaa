import { rules } from '../../src/alert/rules/all.ts';
import { collectors } from '../../src/collect/all.ts';
import type { SimulatedReceiver } from '../../src/simulator/receivers/receivers.ts';
import type { ScrapeConfig } from '../support/prometheus.ts';

type Section = Readonly<Record<string, unknown>>;

/** What the settings are about. */
interface FaultyTargets {
  readonly broken: Section;
  readonly filling: Section;
  readonly receivers: readonly SimulatedReceiver[];
}

const often = { interval: '1s', timeout: '900ms' };
const calendar = { enabled: true, schedule: '* * * * *', timeout: '10s' };

/** Aborts what runs away on the broken cluster, one after another, until it gives up. */
const runaway = {
  name: 'runaway',
  mode: 'enforce',
  clusters: ['broken'],
  when: { query: 'endless_*', age: '> 3s' },
  victims: { pick: 'oldest', max: 3 },
  confirm: { observations: 2, apart: '1s' },
  grace: '1s',
  cooldown: '3s',
};

/** One that waits for a pressure which does not come. */
const idlePolicy = {
  name: 'relief',
  clusters: ['broken'],
  when: { query: 'endless_*', age: '> 1h' },
  gate: { any: [{ queue_depth: '> 1000', for: '2s' }] },
};

const account = { type: 'Account', id: 'a' };
const everyFewSeconds = { graph: 'fraud', interval: '5s', timeout: '5s' };

/** Probes of which one fails. */
const probes = [
  {
    name: 'fresh',
    nodes: 'all',
    vertex: account,
    assert: { age: { path: '0.attributes.updated_at' } },
    ...everyFewSeconds,
  },
  { name: 'absent', vertex: { ...account, id: 'missing' }, ...everyFewSeconds },
  { name: 'written', write_heartbeat: {}, graph: 'fraud', interval: '10s', timeout: '5s' },
];

/** A daemon in a hurry: what takes minutes elsewhere takes seconds. */
export function faultySettings({ broken, filling, receivers }: FaultyTargets): Section {
  return {
    clusters: [broken, filling],
    collectors: { ...quick(often), consistency: calendar, rebuild: calendar, expired_tokens: calendar },
    probes,
    tracker: { confirm: 1, flapping: { window: 5, on: 0.2, off: 0.1 } },
    guard: {
      mode: 'enforce',
      breakers: { same_query: { aborts: 2, within: '15m' } },
      policies: [runaway, idlePolicy],
    },
    alerts: {
      receivers: receivers.map(({ name, url }) => ({ name, webhook: { url } })),
      routes: [{ receivers: receivers.map(({ name }) => name), group_by: ['cluster_name'], group_wait: '0s' }],
      rules: Object.fromEntries(rules.map(({ name }) => [name, { for: '0s' }])),
    },
  };
}

/** Series of the faulty daemon that are 0 for a minute after they appeared. */
const lateSeries = [
  'graphwarden_calls_rejected_total',
  'graphwarden_implausible_entries_total',
  'graphwarden_collector_source_failures_total',
  'graphwarden_collector_series_dropped_total',
  'graphwarden_collector_skipped_total',
];

/**
 * What Prometheus has to show before the minute is skipped. On a busy machine, it may have passed before the circuit breaker
 * opens, and even before the first scrape.
 */
export const firstQueries = [
  // The circuit breaker opens at the second abort.
  'graphwarden_guard_breaker_open{job="faulty"} > 0',
  ...lateSeries.map((name) => {
    const series = `${name}{job="faulty"}`;
    return `min_over_time(${series}[15m]) == 0 or increase(${series}[5m]) > 0`;
  }),
];

/** What Prometheus has to show before the dashboards are read. On a busy machine, the aborts have any outcome. */
export const awaitedQueries = [
  'sum(max by (outcome) (graphwarden_guard_outcomes_total{outcome!="not_sent"})) >= 2',
  'increase(graphwarden_guard_outcomes_total{job="faulty"}[5m]) > 0',
  ...lateSeries.map((name) => `increase(${name}{job!="calm"}[1m]) > 0`),
];

/** A daemon that only watches what happens to its clusters. */
export function incidentSettings(clusters: readonly Section[]): Section {
  return {
    clusters,
    collectors: quick({ interval: '3s', timeout: '2900ms' }, patient),
    tracker: { confirm: 1 },
    alerts: { rules: Object.fromEntries(rules.map(({ name }) => [name, { for: '0s' }])) },
  };
}

/** A node that answers late is not one that is away: on a busy machine an answer takes seconds. */
const patient = { interval: '4s', timeout: '4s' };

/** In ms, of all collectors. */
export const longestInterval = 4000;

/** In ms. */
export const scrapeInterval = 4000;

/** Collectors that are disabled by default, and poll by interval. */
const inventories = collectors.filter(({ defaults }) => !defaults.enabled && defaults.schedule === undefined);

/** Without lists in time there are no aborts. */
const lists = { interval: '2s', timeout: '2s' };

/** Inventories send many requests for each poll. */
function quick(timing: typeof often, inventoryTiming = lists): Section {
  const names = ['metrics', 'categories', 'services', 'statistics', 'queries', 'delayed_queries', 'license'];
  // Without statuses in time there is nothing to compare. Not a multiple of a second: a service changes each second.
  const statuses = { interval: '1500ms', timeout: '1500ms' };
  const quickCollectors = [...names, 'workload_queues'].map((name) => [name, timing]);
  const inventory = { enabled: true, ...inventoryTiming };
  return {
    ...Object.fromEntries(quickCollectors),
    queries: lists,
    services: statuses,
    health: patient,
    ...Object.fromEntries(inventories.map(({ name }) => [name, inventory])),
    endpoints: inventory,
    graph_sizes: inventory,
    query_definitions: inventory,
    loading_jobs: inventory,
    users: inventory,
    statements: inventory,
    detached_queries: inventory,
    scim: inventory,
  };
}

/** A relabeling that turns what is known of a pod into a label. */
function attached(meta: string, label: string): object {
  return { source_labels: [`__meta_kubernetes_${meta}`], target_label: label };
}

/** Returns a scrape job as an operator for Prometheus writes it for the pods of a service, with its labels. */
export function scrapedByOperator(job: string, address: string): ScrapeConfig {
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
