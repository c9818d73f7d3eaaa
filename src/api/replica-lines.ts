import { formatElapsed } from '../kernel/duration.ts';
import type { MissingClusters } from './fields.ts';
import type { ReplicaReport, ReplicasReport } from './replicas.ts';

/** Line about the replicas that share a database, for the status page and the terminal. */
export interface ReplicaLine {
  readonly text: string;
  readonly isProblem: boolean;
}

/** Maximum number of names in a line. */
const maxNamed = 10;

/** Returns which replicas live and what they own, then what is wrong; nothing without a shared database. `now` is in ms since the epoch. */
export function replicaLines(report: ReplicasReport, now: number): readonly ReplicaLine[] {
  const { items, databaseAway, databaseAnsweredAt, withoutOwner } = report;
  if (items.length === 0 && !databaseAway) return [];
  const live = items.filter((one) => one.live);
  const named = live.map((one) => {
    const clusters = `${one.clusters.length} ${one.clusters.length === 1 ? 'cluster' : 'clusters'}`;
    return `${nameIn(items, one)}${one.self ? ' (answers here)' : ''}: ${clusters}`;
  });
  const ago = (timestamp: string): string => formatElapsed(Math.max(0, now - Date.parse(timestamp)));
  const gone = items
    .filter((one) => !one.live)
    .map((one) => `${nameIn(items, one)} (last seen ${ago(one.seenAt)} ago)`);
  const since = databaseAnsweredAt === null ? '' : ` for ${ago(databaseAnsweredAt)}`;
  const others = live.filter((one) => !one.self);
  const withClusters = others.filter((one) => !one.sameClusters).map((one) => nameIn(items, one));
  const withSettings = others.filter((one) => !one.sameSettings).map((one) => nameIn(items, one));
  const problems = [
    ...(databaseAway
      ? [
          `The database does not answer${since}: queries are not aborted, and notifications continue only if no replica reaches it`,
        ]
      : []),
    ...(withoutOwner.length > 0 ? [`Clusters that no replica owns: ${listed(withoutOwner)}`] : []),
    ...(gone.length > 0 ? [`Replicas that do not run: ${listed(gone)}`] : []),
    ...(withClusters.length > 0
      ? [`Replicas with other clusters in their configuration: ${listed(withClusters)}`]
      : []),
    ...(withSettings.length > 0
      ? [`Replicas with other settings in their configuration: ${listed(withSettings)}`]
      : []),
  ];
  const overview = `Replicas: ${live.length} of ${items.length} live. ${listed(named)}`;
  return [{ text: overview, isProblem: false }, ...problems.map((text) => ({ text, isProblem: true }))];
}

/** Returns a sentence for each replica whose clusters an answer lacks. */
export function missingLines(missing: readonly MissingClusters[]): readonly string[] {
  return missing.map(({ clusters, reason }) => {
    const names = clusters.map((name) => (name === '' ? 'graphwarden itself' : name));
    return `No data of ${listed(names)}, because ${reason}`;
  });
}

function listed(names: readonly string[]): string {
  const rest = names.length - maxNamed;
  return rest > 0 ? `${names.slice(0, maxNamed).join(', ')} and ${rest} more` : names.join(', ');
}

/** Returns the name of a replica, with its URL if another replica on the same host has the same name. */
function nameIn(all: readonly ReplicaReport[], { name, url }: ReplicaReport): string {
  return all.filter((one) => one.name === name).length === 1 ? name : `${name} (${url})`;
}
