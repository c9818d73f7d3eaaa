import { collectors } from '../../src/collect/all.ts';
import type { Collector } from '../../src/collect/collector.ts';

/** One collector on one node, or on the whole cluster where `node` is `''`. */
export interface Place {
  readonly cluster: string;
  readonly collector: string;
  readonly node: string;
}

/** A cluster of its own for one way in which a fault can strike, so that all ways are tried at once. */
export interface Cell {
  readonly cluster: string;
  readonly nodes: number;
  /** The node that the fault strikes, and which of its paths. */
  readonly victim: string;
  readonly path: RegExp;
  /** The collectors whose reading must fail, on the victim or as a whole. */
  readonly struck: readonly Collector[];
  /** The collectors that ask the victim first, and then another node. */
  readonly delayed: readonly Collector[];
  /** Families of ours that must go with them. */
  readonly gone: ReadonlySet<string>;
  /** Whether the server's own families go. */
  readonly passthroughGone: boolean;
  readonly up: boolean;
}

/** What each collector lives on: nothing of it is asked by another one. */
const paths: Readonly<Record<string, RegExp>> = {
  health: /^\/api\/ping$/,
  metrics: /^\/informant\/metrics$/,
  categories: /^\/informant\/metrics\/get\//,
  services: /^\/informant\/current-service-status$/,
  statistics: /^\/restpp\/statistics\//,
  queries: /^\/restpp\/showprocesslist/,
  delayed_queries: /^\/restpp\/showdelayedlistall$/,
  workload_queues: /^\/restpp\/workload-manager\//,
  license: /^\/restpp\/showlicenseinfo$/,
  consistency: /_check$/,
};

/** Every collector alone; a call of `health` that does not decide on up; whole nodes, with and without another one. */
export const cells: readonly Cell[] = [
  ...collectors.map((one) => cellOf(one.name, { path: pathOf(one), struck: [one] })),
  { ...cellOf('echo', { path: /^\/restpp\/echo$/, struck: [named('health')] }), gone: new Set<string>(), up: true },
  cellOf('whole', { path: /./, struck: collectors }),
  cellOf('pair', { path: /./, struck: collectors.filter(({ scope }) => scope === 'node') }, 2),
  cellOf('calm', { path: /^$/, struck: [] }),
];

/** Cells of a fault that uses up the time of a reading: what is heavy does not begin again on another node. */
export function wornOut(cell: Cell): Cell {
  const [heavy, others] = [cell.delayed.filter(isHeavy), cell.delayed.filter((one) => !isHeavy(one))];
  return { ...cell, struck: [...cell.struck, ...heavy], delayed: others };
}

function isHeavy({ defaults }: Collector): boolean {
  return defaults.cron !== undefined;
}

/** The places of a cell that a fault must be seen at. */
export function struckPlaces(cell: Cell): readonly Place[] {
  return cell.struck.map((one) => placeOf(cell, one));
}

/** The places of a cell that a hanging node may delay. */
export function delayedPlaces(cell: Cell): readonly Place[] {
  return cell.delayed.map((one) => placeOf(cell, one));
}

function placeOf({ cluster, victim }: Cell, { name, scope }: Collector): Place {
  return { cluster, collector: name, node: scope === 'node' ? victim : '' };
}

function pathOf({ name }: Collector): RegExp {
  const path = paths[name];
  if (path === undefined) throw new Error(`no path is known for '${name}'`);
  return path;
}

/** A cell of which some collectors are struck by some paths. */
export function cellOf(cluster: string, { path, struck }: Pick<Cell, 'path' | 'struck'>, nodes = 1): Cell {
  const well = collectors.filter((one) => !struck.includes(one));
  const standing = new Set(well.flatMap(({ metrics }) => metrics.map(({ name }) => name)));
  const gauges = struck.flatMap(({ metrics }) => metrics.filter(({ keep }) => !keep).map(({ name }) => name));
  const gone = new Set(gauges.filter((name) => !standing.has(name) && name !== 'graphdb_up'));
  const [passthroughGone, up] = [struck.includes(named('metrics')), !struck.includes(named('health'))];
  const delayed = nodes > 1 ? well : [];
  return { cluster, nodes, victim: 'm1', path, struck, delayed, gone, passthroughGone, up };
}

function named(name: string): Collector {
  const found = collectors.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no collector '${name}'`);
  return found;
}
