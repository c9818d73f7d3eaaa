import type { AlertReport } from '../../src/api/alerts.ts';
import type { ClusterState } from '../../src/api/cluster-state.ts';
import type { GuardReport } from '../../src/api/guard.ts';
import { count } from './format.ts';

/** Facts of the headline. */
interface OverallFacts {
  readonly firing: readonly Pick<AlertReport, 'cluster' | 'severity'>[];
  readonly clusters: readonly { readonly name: string; readonly state: ClusterState }[];
}

/** Returns the overall state in one line, such as `✕ 3 critical alerts: 1 on prod, 2 about graphwarden`. */
export function overallText(state: ClusterState, facts: OverallFacts): string {
  const { firing, clusters } = facts;
  if (state === 'critical') return `✕ ${alertsText('critical alert', facts, 'critical')}`;
  if (state === 'warning') return `! ${alertsText('alert', facts)}`;
  if (clusters.length === 0) return '? No cluster is configured';
  if (state === 'unknown') {
    return `? The state of ${count(clusters.filter((one) => one.state === 'unknown').length, 'cluster')} is unknown`;
  }
  const fires = firing.length === 0 ? 'no alert fires' : count(firing.length, 'informational alert');
  if (state === 'healthy') return `✓ ${count(clusters.length, 'cluster')} healthy, ${fires}`;
  const bad = clusters.filter((one) => one.state !== 'healthy').map(({ name }) => name);
  return `! Not everything is online${where(bad, clusters.length)}; ${fires}`;
}

/** Returns the number of alerts and the clusters that they are about; those about graphwarden itself are counted apart. */
function alertsText(noun: string, { firing, clusters }: OverallFacts, only?: 'critical'): string {
  const counted = firing.filter(({ severity }) => (only === undefined ? severity !== 'info' : severity === only));
  const own = counted.filter(({ cluster }) => cluster === '').length;
  const others = counted.length - own;
  const named = where([...new Set(counted.flatMap(({ cluster }) => cluster || []))].toSorted(), clusters.length);
  const total = count(counted.length, noun);
  if (own === 0) return `${total}${named}`;
  return others === 0 ? `${total} about graphwarden` : `${total}: ${others}${named}, ${own} about graphwarden`;
}

/** Returns which guards are paused, such as `The guard is paused on prod`; undefined if none is. */
export function pausedText({ paused, clusters }: Pick<GuardReport, 'paused' | 'clusters'>): string | undefined {
  const names = clusters.filter((one) => one.paused).map(({ cluster }) => cluster);
  if (names.length === 0) return undefined;
  return `The guard is paused${paused ? '' : where(names, clusters.length)}: it aborts no query${paused ? '' : ' there'}`;
}

/** Maximum number of names in a line. */
const maxNamed = 2;

function where(names: readonly string[], all: number): string {
  if (names.length === 0) return '';
  return ` on ${names.length > maxNamed ? `${names.length} of ${count(all, 'cluster')}` : names.join(' and ')}`;
}
