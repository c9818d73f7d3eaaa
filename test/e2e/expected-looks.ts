import type { TruthLog } from './dashboard-truth.ts';

/** Colors by what they mean, as Grafana's dark theme shows them. */
export const shades = {
  green: '#73BF69',
  yellow: '#FADE2A',
  blue: '#5794F2',
  orange: '#FF9830',
  red: '#F2495C',
  grey: '#8e8e8e',
} as const;

/** Text of a value that a panel shows, and the name of its color. */
type Look = readonly [text: string, color: keyof typeof shades];

/** Text and color of each status. */
const statusLooks: Readonly<Record<string, Look>> = {
  '0': ['StatusUnchanged', 'grey'],
  '3': ['StatusUnknown', 'grey'],
  '6': ['Online', 'green'],
  '9': ['Warmup', 'yellow'],
  '12': ['Readonly', 'orange'],
  '15': ['Starting', 'blue'],
  '18': ['Paused', 'orange'],
  '21': ['Stopping', 'orange'],
  '24': ['Offline', 'red'],
  '27': ['Down', 'red'],
};

const response = { '0': ['no response', 'red'], '1': ['refuses', 'red'], '2': ['responds', 'green'] } as const;
const unknown = { '-2': ['unknown', 'grey'] } as const;
const paused = (good: string) => ({ '0': [good, 'green'], '1': ['paused', 'red'] }) as const;

/** Text and color of each value of each panel and column that shows states. `''` is the column of a panel with curves. */
export const stateLooks: Readonly<Record<string, Readonly<Record<string, Look>>>> = {
  'Clusters/State': {
    '0': ['healthy', 'green'],
    '1': ['degraded', 'orange'],
    '2': ['unknown', 'grey'],
    '3': ['unhealthy', 'red'],
  },
  'Alerts that are firing/Severity': {
    '3': ['critical', 'red'],
    '2': ['warning', 'orange'],
    '1': ['info', 'blue'],
    ...unknown,
  },
  'Instances not online/Status': { ...statusLooks, ...unknown },
  'Nodes that fail the health check/Response': { ...response, ...unknown },
  'Lost partitions/Online replicas': { '0': ['0', 'red'], ...unknown },
  'Status of every service instance': statusLooks,
  Nodes: response,
  'Consistency checks': { '0': ['failed', 'red'], '1': ['passed', 'green'] },
  'Scheduled tasks': { '0': ['failed', 'red'], '1': ['succeeded', 'green'] },
  'Memory limit': { '0': ['unlimited', 'grey'], '1': ['limited', 'green'] },
  'Last poll of each collector': {
    '0': ['success', 'green'],
    '1': ['timeout', 'orange'],
    '2': ['unreachable', 'red'],
    '3': ['tls', 'red'],
    '4': ['auth', 'red'],
    '5': ['status', 'orange'],
    '6': ['body', 'orange'],
    '7': ['too_large', 'orange'],
    '8': ['unsupported', 'grey'],
  },
  Receivers: { '0': ['not failing', 'green'], '1': ['failing', 'red'] },
  State: { '0': ['only in memory', 'red'], '1': ['on disk', 'green'] },
  Configuration: { '0': ['rejected', 'red'], '1': ['loaded', 'green'] },
  Paused: paused('active'),
  'Pause reasons': paused('no'),
  'Nodes without usable process lists': { '0': ['usable', 'green'], '1': ['unusable', 'red'] },
  'Covered nodes': { '0': ['not covered', 'red'], '1': ['covered', 'green'] },
  'Policies that can act': { '0': ['cannot act', 'red'], '1': ['can act', 'green'] },
  'Policy modes': { '0': ['observes', 'blue'], '1': ['enforces', 'green'] },
};

/** Text and color of a time without a value. */
export const notObserved: Look = ['not observed', 'grey'];

/** One value of a panel with the labels of its series or its row. */
export interface Cell {
  readonly title: string;
  readonly type: string;
  /** Header in a table; `''` otherwise. */
  readonly column: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly unit: string;
  /** Whether texts replace the values. */
  readonly hasStates: boolean;
  /** Whether the color is visible. */
  readonly isColored: boolean;
  /** Ms since the epoch. */
  readonly at: number;
  readonly raw: number | string | null;
  readonly text: string;
  readonly color: string;
}

/** Numbers that are good at zero. */
const goodAtZero = [
  'Firing alerts',
  'Nodes down',
  'Partitions without an online replica',
  'Service instances not online',
  'Clusters/Firing alerts',
  'Clusters/Lost partitions',
  'Clusters/Nodes down',
  'Clusters/Instances not online',
  'Clusters/Overdue queries',
  'Clusters/Alerts without receiver',
];

/** Returns the colors that a number may have; empty if its color says nothing. */
export function lookOfNumber({ title, column, type, raw }: Cell): readonly (keyof typeof shades)[] {
  if (type !== 'stat' && type !== 'table') return [];
  if (raw === null) return ['grey'];
  if (!goodAtZero.includes(column === '' ? title : `${title}/${column}`)) return [];
  return raw === 0 ? ['green'] : ['red', 'orange'];
}

/**
 * What the simulator says of a value that a panel shows: the texts that are right, or undefined if the panel or the
 * cluster is not compared with it.
 */
export function rightTexts(
  { title, type, column, labels, at, raw }: Cell,
  truth: TruthLog,
): readonly string[] | undefined {
  if (raw === null) return undefined;
  const location = column === '' ? title : `${title}/${column}`;
  if (location === 'Status of every service instance' || location === 'Instances not online/Status') {
    return textsOrNothing(truth.statuses(labels, at));
  }
  if (location === 'Nodes' || location === 'Nodes that fail the health check/Response') {
    return textsOrNothing(
      truth.reachable(labels, at).flatMap((up) => (up ? ['responds'] : ['no response', 'refuses'])),
    );
  }
  if (location === 'Clusters/Nodes down' || (type === 'stat' && title === 'Nodes down')) {
    return textsOrNothing(truth.unreachableNodes(labels.cluster_name, at).map(String));
  }
  return undefined;
}

function textsOrNothing(texts: readonly string[]): readonly string[] | undefined {
  return texts.length === 0 ? undefined : [...new Set(texts)];
}
