import type { AlertView } from '../../../alert/alert-view.ts';
import type { CheckReport, ClusterReport } from '../../../api/clusters.ts';
import type { ReplicaView } from '../../../model/transition.ts';
import { alertsInWords } from './alerts.ts';
import { type GuardFacts, guardInWords } from './guard.ts';
import { informantInWords } from './informant.ts';
import { nodesInWords } from './nodes.ts';
import { delayedInWords, runningInWords } from './queries.ts';
import { type Doing, readingInWords } from './reading.ts';
import { checksInWords, disksInWords, licenseInWords, queuesInWords } from './resources.ts';
import { servicesInWords } from './services.ts';
import type { Latest } from './statement.ts';
import { gravest, type Statement, type Tone, type Topic } from './statement.ts';

/** Everything that is known of one cluster. */
export interface ClusterFacts {
  readonly cluster: ClusterReport;
  readonly doings: readonly Doing[];
  readonly checks: readonly CheckReport[];
  /** What the tracker knows of the services. */
  readonly tracked: readonly ReplicaView[];
  /** What the rules say of it. */
  readonly alerts: readonly AlertView[];
  /** By name, the collectors that are switched on here. */
  readonly latest: ReadonlyMap<string, Latest>;
  /** Undefined where no policy concerns it. */
  readonly guard: GuardFacts | undefined;
}

/** One cluster in words. */
export interface Story {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly tone: Tone;
  readonly topics: readonly Topic[];
}

type Speaker = (latest: Latest, facts: ClusterFacts, wall: number) => readonly Statement[];

/** Topics of the page and the collectors behind them, in the order that suits an operator during an incident. */
const speakers: readonly (readonly [topic: string, collector: string, speak: Speaker])[] = [
  ['Services', 'services', (latest, { tracked }, wall) => servicesInWords(latest, tracked, wall)],
  ['Queries', 'queries', runningInWords],
  ['Queries', 'delayed_queries', delayedInWords],
  ['Queues', 'workload_queues', queuesInWords],
  ['Host data', 'categories', informantInWords],
  ['Host data', 'categories', disksInWords],
  ['Licence', 'license', (latest, _, wall) => licenseInWords(latest, wall)],
  ['Checks', 'consistency', (_, { checks }, wall) => checksInWords(checks, wall)],
];

/** Names of the collectors whose data the page describes. */
export const spokenOf: readonly string[] = [...new Set(speakers.map(([, collector]) => collector))];

/** Describes one cluster at `wall`, without collectors that are disabled. */
export function storyOf(facts: ClusterFacts, wall: number): Story {
  const { cluster, doings, latest, alerts, guard } = facts;
  const reported = speakers.flatMap(([name, collector, speak]) => {
    const known = latest.get(collector);
    return known === undefined ? [] : [{ name, statements: speak(known, facts, wall) }];
  });
  const topics = [
    { name: 'Alerts', statements: alertsInWords(alerts, wall) },
    { name: 'Guard', statements: guardInWords(guard, cluster.name, wall) },
    { name: 'Nodes', statements: nodesInWords(cluster.nodes, wall) },
    ...joined(reported),
    { name: 'Reading', statements: readingInWords(doings, cluster.nodes, wall) },
  ].filter(({ statements }) => statements.length > 0);
  return {
    name: cluster.name,
    labels: cluster.labels,
    tone: gravest(topics.flatMap(({ statements }) => statements)),
    topics,
  };
}

/** Describes firing alerts about graphwarden itself; empty if there are none. */
export function ownStory(alerts: readonly AlertView[], wall: number): readonly Story[] {
  if (alerts.every(({ phase }) => phase !== 'firing')) return [];
  const statements = alertsInWords(alerts, wall);
  return [{ name: 'graphwarden', labels: {}, tone: gravest(statements), topics: [{ name: 'Alerts', statements }] }];
}

/** Merges topics of the same name and removes duplicate statements. */
function joined(topics: readonly Topic[]): readonly Topic[] {
  return [...Map.groupBy(topics, ({ name }) => name)].map(([name, parts]) => {
    const statements = new Map(parts.flatMap((part) => part.statements).map((one) => [one.text, one]));
    return { name, statements: [...statements.values()] };
  });
}
