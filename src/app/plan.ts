import type { CallName, Collector } from '../collect/collector.ts';
import type { Config, Scope } from '../config/config.ts';
import type { CollectorSettings } from '../model/settings.ts';

/** A collector that is to run, with its settings. */
export interface Planned {
  readonly collector: Collector;
  readonly settings: CollectorSettings;
}

const processLists: readonly CallName[] = ['processListAll', 'processList', 'delayedList'];

/** The collectors that this process is responsible for, in the order of the list. */
export function plan(
  collectors: readonly Collector[],
  config: Pick<Config, 'scope' | 'collectors'>,
): readonly Planned[] {
  return collectors.flatMap((collector) => {
    const settings = config.collectors[collector.name];
    const runs = settings?.enabled === true && isInScope(collector, config.scope);
    return runs ? [{ collector, settings }] : [];
  });
}

/** Whether a collector's facts are the business of a process of this scope: every fact exists once. */
export function isInScope(collector: Collector, scope: Scope): boolean {
  return scope === 'all' || collector.scope === scope;
}

/** Whether it lists processes, which costs the server the more the busier it is. */
export function isDear(collector: Collector): boolean {
  return collector.calls.some((call) => processLists.includes(call));
}
