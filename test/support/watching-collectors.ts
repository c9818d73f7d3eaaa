import { collectors } from '../../src/collect/all.ts';

/** Collectors that do not change the server. The others run at their scheduled times only, so tests cannot poll them. */
export const watchingCollectors = collectors.filter((one) => one.taskRuns === undefined);
