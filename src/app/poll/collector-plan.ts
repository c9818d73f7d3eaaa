import type { Collector } from '../../collect/collector.ts';
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

/** Returns whether a process of this scope runs the collector, so that every fact exists once. */
export function isInScope(collector: Collector, scope: Scope): boolean {
  return scope === 'all' || collector.scope === scope;
}
