import { z } from 'zod';
import type { UnlocatedProblem } from '../model/config-problem.ts';
import type { Config } from './config.ts';

/** Lenient view of the file: absent and invalid values become undefined. */
const view = z.looseObject({ collectors: z.record(z.string(), z.looseObject({}).optional().catch(undefined)) });

/** Finds settings of collectors that are disabled by default and that the file (`value`) does not enable. */
export function unusedCollectorSettings(value: unknown, collectors: Config['collectors']): readonly UnlocatedProblem[] {
  const given = view.safeParse(value);
  if (!given.success) return [];
  return Object.entries(given.data.collectors).flatMap(([name, settings = {}]) => {
    const isUsed = collectors[name]?.enabled !== false;
    if (isUsed || 'enabled' in settings || Object.keys(settings).length === 0) return [];
    const message = 'is disabled by default, so its settings have no effect; set `enabled: true`';
    return [{ path: ['collectors', name], message }];
  });
}
