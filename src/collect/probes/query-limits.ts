import { z } from 'zod';
import { sizeField } from '../../graphdb/settings-fields.ts';
import type { QueryLimits } from '../../model/probe.ts';

/** Keys of a query that limit its run; the server takes them as headers. */
export const limitFields = {
  thread_limit: z
    .int()
    .min(1)
    .max(1024)
    .optional()
    .describe('Threads of the query on each node; all if omitted.')
    .meta({ examples: [2] }),
  memory_limit: sizeField(2 ** 20)
    .optional()
    .describe('Memory of the query on each node; no limit if omitted.')
    .meta({ examples: ['512MiB'] }),
};

/** Values of {@link limitFields}, and the replica. */
interface GivenLimits {
  readonly replica?: number | undefined;
  readonly thread_limit?: number | undefined;
  readonly memory_limit?: number | undefined;
}

/** Returns the limits without the absent ones. */
export function limitsOf({ replica, thread_limit: threads, memory_limit: memory }: GivenLimits): QueryLimits {
  return {
    ...(replica === undefined ? {} : { replica }),
    ...(threads === undefined ? {} : { threads }),
    ...(memory === undefined ? {} : { memory }),
  };
}
