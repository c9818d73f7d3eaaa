import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';
import type { RunResult } from './oracle/evaluate.ts';
import { runSeed } from './run-seed.ts';

const { first, end, step } = z.object({ first: z.number(), end: z.number(), step: z.number() }).parse(workerData);
const results: RunResult[] = [];
for (let seed = first; seed < end; seed += step) results.push(runSeed(seed));
parentPort?.postMessage(results, []);
