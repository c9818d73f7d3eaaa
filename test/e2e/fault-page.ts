import type { ExpositionSample } from '../support/exposition-family.ts';
import type { Page } from '../support/in-process-daemon.ts';
import { isTrackerSeries } from '../support/tracker-series.ts';
import { affectedTargets, type FaultCase } from './fault-cells.ts';
import { keyOf } from './fault-environment.ts';

/** Returns the values of a family of collector metrics, by `cluster/collector/node`. */
export function collectorValues(page: Page, name: string): ReadonlyMap<string, number> {
  const samples = page.families.get(name)?.samples ?? [];
  return new Map(samples.map((sample) => [targetOf(sample), sample.value]));
}

/** Returns the number of failed polls between two pages, by `cluster/collector/node/reason`, without zeros. */
export function newFailures(page: Page, before: Page): Readonly<Record<string, number>> {
  const earlier = failuresOf(before);
  const more = [...failuresOf(page)].map(([key, count]) => [key, count - (earlier.get(key) ?? 0)] as const);
  return Object.fromEntries(more.filter(([, count]) => count !== 0));
}

/** Returns every series about the servers that the last poll result determines, without values. */
export function contentOf(page: Page): readonly string[] {
  return serverSamples(page).map(seriesText).toSorted();
}

/** Returns every family about the servers, by cluster and node, except the one that needs a running query. */
export function familiesOf(page: Page): readonly string[] {
  const lasting = serverSamples(page).filter(({ name }) => name !== 'graphdb_queries_overdue');
  const names = lasting.map(({ name, labels }) => `${name} ${labels.cluster_name}/${labels.node ?? ''}`);
  return [...new Set(names)].toSorted();
}

/** Returns what remains of the {@link contentOf} a page during a fault. */
export function expectedContent(page: Page, where: readonly FaultCase[]): readonly string[] {
  const byCluster = new Map(where.map((cell) => [cell.cluster, cell]));
  const left = serverSamples(page).filter((sample) => {
    const cell = byCluster.get(sample.labels.cluster_name ?? '');
    return cell === undefined || !goesWith(cell, sample);
  });
  return left.map(seriesText).toSorted();
}

/** Returns whether each node must be up during a fault, by `cluster/node`. */
export function expectedUp(before: Page, where: readonly FaultCase[]): Readonly<Record<string, number>> {
  const down = where.filter(({ up }) => !up).map(({ cluster, faultyNode }) => [`${cluster}/${faultyNode}`, 0] as const);
  return { ...actualUp(before), ...Object.fromEntries(down) };
}

/** Returns `graphdb_up` of each node on a page, by `cluster/node`. */
export function actualUp(page: Page): Readonly<Record<string, number>> {
  const samples = page.families.get('graphdb_up')?.samples ?? [];
  return Object.fromEntries(samples.map(({ labels, value }) => [`${labels.cluster_name}/${labels.node}`, value]));
}

/** Returns the expected success of each collector during a fault. */
export function expectedSuccess(before: Page, where: readonly FaultCase[]): ReadonlyMap<string, number> {
  const struck = new Set(where.flatMap(affectedTargets).map(keyOf));
  const targets = [...collectorValues(before, 'graphwarden_collector_success').keys()];
  return new Map(targets.map((target) => [target, struck.has(target) ? 0 : 1]));
}

function goesWith(cell: FaultCase, { name, labels }: ExpositionSample): boolean {
  const ofOtherNode = labels.node !== undefined && labels.node !== cell.faultyNode;
  return !ofOtherNode && (cell.gone.has(name) || (cell.passthroughGone && name.startsWith('svc_')));
}

function failuresOf(page: Page): ReadonlyMap<string, number> {
  const samples = page.families.get('graphwarden_collector_failures_total')?.samples ?? [];
  return new Map(samples.map((sample) => [`${targetOf(sample)}/${sample.labels.reason}`, sample.value]));
}

function serverSamples(page: Page): readonly ExpositionSample[] {
  return [...page.families.values()]
    .flatMap(({ samples }) => samples)
    .filter(({ name, labels }) => labels.cluster_name !== undefined && !name.startsWith('graphwarden_'))
    .filter((sample) => !isTrackerSeries(sample));
}

function seriesText({ name, labels }: ExpositionSample): string {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}=${value}`);
  return `${name} ${pairs.toSorted().join(' ')}`;
}

function targetOf({ labels }: ExpositionSample): string {
  const { cluster_name: cluster = '', collector = '', node = '' } = labels;
  return keyOf({ cluster, collector, node });
}
