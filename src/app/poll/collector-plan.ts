import type { Collector } from '../../collect/collector.ts';
import { customCollector } from '../../collect/custom/custom-collector.ts';
import { probeCollector } from '../../collect/probes/probe-collector.ts';
import { users } from '../../collect/users.ts';
import type { Config, Scope } from '../../config/config.ts';
import type { CollectorSettings } from '../../model/settings.ts';

/** Enabled collector with its settings. */
export interface PlannedCollector {
  readonly collector: Collector;
  readonly settings: CollectorSettings;
}

/** Returns the collectors that this process runs, in the order of the list. */
export function planCollectors(
  collectors: readonly Collector[],
  config: Pick<Config, 'scope' | 'collectors'>,
): readonly PlannedCollector[] {
  return collectors.flatMap((collector) => {
    const settings = config.collectors[collector.name];
    if (settings?.enabled !== true || !isInScope(collector, config.scope)) return [];
    const { overdueAfter } = settings;
    const limited = overdueAfter === undefined ? undefined : collector.withOverdueAfter?.(overdueAfter);
    return [{ collector: limited ?? collector, settings }];
  });
}

/** Returns the collectors of the custom queries and probes that this process runs on a cluster. */
export function planConfigured(
  { custom, probes, scope }: Pick<Config, 'custom' | 'probes' | 'scope'>,
  cluster: string,
): readonly PlannedCollector[] {
  const runsHere = ({ clusters }: { readonly clusters?: readonly string[] }): boolean =>
    clusters?.includes(cluster) ?? true;
  return [
    ...custom.filter(runsHere).map((query) => ({ collector: customCollector(query), settings: query.polling })),
    ...probes.filter(runsHere).map((probe) => ({ collector: probeCollector(probe), settings: probe.polling })),
  ].filter(({ collector }) => isInScope(collector, scope));
}

/**
 * Returns whether a process of this scope runs the collector: if node and cluster facts are split among processes, each
 * exists once.
 */
export function isInScope(collector: Collector, scope: Scope): boolean {
  return scope === 'all' || collector.scope === scope;
}

/** Whether a collector may run before the state of its cluster is restored: it has no schedule, and does not compare with earlier runs. */
export function needsNoState({ collector, settings }: PlannedCollector): boolean {
  return settings.schedule === undefined && collector.name !== users.name;
}
