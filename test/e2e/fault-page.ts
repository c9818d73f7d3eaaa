import type { ExpositionSample } from '../support/exposition-family.ts';
import { isTracked } from '../support/tracked.ts';
import type { Page } from '../support/warden.ts';
import { type Cell, struckPlaces } from './fault-cells.ts';
import { keyOf } from './fault-scene.ts';

/** What a page says of the collectors, by `cluster/collector/node`. */
export function collectorValues(page: Page, name: string): ReadonlyMap<string, number> {
  const samples = page.families.get(name)?.samples ?? [];
  return new Map(samples.map((sample) => [placeOf(sample), sample.value]));
}

/** How many readings of each kind failed between two pages, by `cluster/collector/node/reason`; none where it is 0. */
export function newFailures(page: Page, before: Page): Readonly<Record<string, number>> {
  const earlier = failuresOf(before);
  const more = [...failuresOf(page)].map(([key, count]) => [key, count - (earlier.get(key) ?? 0)] as const);
  return Object.fromEntries(more.filter(([, count]) => count !== 0));
}

/** Every series about the servers that goes by the last reading, without its value. */
export function contentOf(page: Page): readonly string[] {
  return serverSamples(page).map(seriesText).toSorted();
}

/** Every family about the servers, by cluster and node, but the one that is there only while some query runs. */
export function familiesOf(page: Page): readonly string[] {
  const lasting = serverSamples(page).filter(({ name }) => name !== 'graphdb_queries_overdue');
  const names = lasting.map(({ name, labels }) => `${name} ${labels.cluster_name}/${labels.node ?? ''}`);
  return [...new Set(names)].toSorted();
}

/** What is left of the {@link contentOf} `page` while a fault strikes in some cells. */
export function contentLeft(page: Page, where: readonly Cell[]): readonly string[] {
  const byCluster = new Map(where.map((cell) => [cell.cluster, cell]));
  const left = serverSamples(page).filter((sample) => {
    const cell = byCluster.get(sample.labels.cluster_name ?? '');
    return cell === undefined || !goesWith(cell, sample);
  });
  return left.map(seriesText).toSorted();
}

/** Whether each node must be up while a fault strikes in some cells, by `cluster/node`. */
export function wantedUp(before: Page, where: readonly Cell[]): Readonly<Record<string, number>> {
  const down = where.filter(({ up }) => !up).map(({ cluster, victim }) => [`${cluster}/${victim}`, 0] as const);
  return { ...shownUp(before), ...Object.fromEntries(down) };
}

/** The same as a page tells it. */
export function shownUp(page: Page): Readonly<Record<string, number>> {
  const samples = page.families.get('graphdb_up')?.samples ?? [];
  return Object.fromEntries(samples.map(({ labels, value }) => [`${labels.cluster_name}/${labels.node}`, value]));
}

/** What each collector's success must be while a fault strikes in some cells. */
export function wantedSuccess(before: Page, where: readonly Cell[]): ReadonlyMap<string, number> {
  const struck = new Set(where.flatMap(struckPlaces).map(keyOf));
  const places = [...collectorValues(before, 'graphwarden_collector_success').keys()];
  return new Map(places.map((place) => [place, struck.has(place) ? 0 : 1]));
}

function goesWith(cell: Cell, { name, labels }: ExpositionSample): boolean {
  const ofOtherNode = labels.node !== undefined && labels.node !== cell.victim;
  return !ofOtherNode && (cell.gone.has(name) || (cell.passthroughGone && name.startsWith('svc_')));
}

function failuresOf(page: Page): ReadonlyMap<string, number> {
  const samples = page.families.get('graphwarden_collector_failures_total')?.samples ?? [];
  return new Map(samples.map((sample) => [`${placeOf(sample)}/${sample.labels.reason}`, sample.value]));
}

function serverSamples(page: Page): readonly ExpositionSample[] {
  return [...page.families.values()]
    .flatMap(({ samples }) => samples)
    .filter(({ name, labels }) => labels.cluster_name !== undefined && !name.startsWith('graphwarden_'))
    .filter((sample) => !isTracked(sample));
}

function seriesText({ name, labels }: ExpositionSample): string {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}=${value}`);
  return `${name} ${pairs.toSorted().join(' ')}`;
}

function placeOf({ labels }: ExpositionSample): string {
  const { cluster_name: cluster = '', collector = '', node = '' } = labels;
  return keyOf({ cluster, collector, node });
}
