import { z } from 'zod';
import type { Collector } from '../collect/collector.ts';
import { collectorsSection } from '../collect/settings.ts';
import type { GateSource } from '../guard/policy.ts';
import { formatDuration, parseDuration } from '../kernel/duration.ts';
import type { Finding, KeyPath } from '../model/problem.ts';
import type { CollectorSettings } from '../model/settings.ts';

/** Which collectors read the pressures, the preferred one first. */
const readers: Readonly<Record<GateSource, readonly string[]>> = {
  node_memory: ['metrics', 'categories'],
  node_cpu: ['metrics', 'categories'],
  queue_depth: ['delayed_queries'],
  queue_oldest: ['delayed_queries'],
};

/** One reading that happens to be high is no pressure. */
const leastReadings = 2;

const clause = z.looseObject({ for: z.string().optional().catch(undefined) });
const clauses = z.array(clause.optional().catch(undefined)).optional().catch(undefined);
const view = z.looseObject({ any: clauses, all: clauses });

type ClauseView = z.infer<typeof clause>;

/** How often things are read. */
export interface Readings {
  /** The `collectors` section as given. */
  readonly given: unknown;
  readonly collectors: readonly Collector[];
}

/** Finds gates that would never open, and those that one reading alone would open. */
export function checkGates(path: KeyPath, gate: unknown, { given, collectors }: Readings): readonly Finding[] {
  const read = view.safeParse(gate);
  if (!read.success) return [];
  const settings = collectorsSection(collectors).safeParse(given ?? {});
  if (!settings.success) return [];
  return (['any', 'all'] as const).flatMap((key) =>
    (read.data[key] ?? []).flatMap((one, at) =>
      one === undefined ? [] : checkClause([...path, key, at], one, settings.data),
    ),
  );
}

function checkClause(
  path: KeyPath,
  given: ClauseView,
  settings: Readonly<Record<string, CollectorSettings>>,
): readonly Finding[] {
  return Object.entries(readers).flatMap(([source, names]) => {
    if (given[source] === undefined) return [];
    const reader = names.find((name) => settings[name]?.enabled === true);
    if (reader === undefined) {
      const message = `is never read: collectors.${names[0]} is off`;
      return [{ path: [...path, source], message, aboutKey: true }];
    }
    return tooShort([...path, 'for'], given.for, { reader, every: settings[reader]?.every ?? 0 });
  });
}

function tooShort(
  path: KeyPath,
  hold: string | undefined,
  { reader, every }: { readonly reader: string; readonly every: number },
): readonly Finding[] {
  const length = parseDuration(hold ?? '');
  const least = leastReadings * every;
  if (!length.ok || length.value === 0 || length.value >= least) return [];
  return [{ path, message: `must be at least ${formatDuration(least)}: two intervals of collectors.${reader}` }];
}
