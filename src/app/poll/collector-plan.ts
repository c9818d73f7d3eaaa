import type { Collector } from '../../collect/collector.ts';
import { customCollector } from '../../collect/custom/custom-collector.ts';
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
    const runs = settings?.enabled === true && isInScope(collector, config.scope);
    return runs ? [{ collector, settings }] : [];
  });
}

/** Returns the collectors of the custom queries that this process runs on a cluster. */
export function planCustomQueries(
  { custom, scope }: Pick<Config, 'custom' | 'scope'>,
  cluster: string,
): readonly PlannedCollector[] {
  return custom
    .filter(({ clusters }) => clusters?.includes(cluster) ?? true)
    .map((query) => ({ collector: customCollector(query), settings: query.polling }))
    .filter(({ collector }) => isInScope(collector, scope));
}

/** Returns whether a process of this scope runs the collector, so that every fact exists once. */
export function isInScope(collector: Collector, scope: Scope): boolean {
  return scope === 'all' || collector.scope === scope;
}
