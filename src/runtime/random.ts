import type { Random } from '../kernel/system.ts';

/** Chance as the engine gives it: good for jitter and phases, not for secrets. */
export const systemRandom: Random = { next: () => Math.random() };
