import type { QueryLimits } from '../../model/probe.ts';

/** Values of the keys that limit a run, and the replica. */
interface GivenLimits {
  readonly replica?: number | undefined;
  readonly thread_limit?: number | undefined;
  readonly memory_limit?: number | undefined;
}

/** Converts the keys of the configuration to the limits of a run; absent keys stay absent. */
export function limitsOf({ replica, thread_limit: threads, memory_limit: memory }: GivenLimits): QueryLimits {
  return {
    ...(replica === undefined ? {} : { replica }),
    ...(threads === undefined ? {} : { threads }),
    ...(memory === undefined ? {} : { memory }),
  };
}
