import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';
import type { Verdict } from './oracle/judge.ts';
import { runOf } from './run.ts';

const { first, end, step } = z.object({ first: z.number(), end: z.number(), step: z.number() }).parse(workerData);
const verdicts: Verdict[] = [];
for (let seed = first; seed < end; seed += step) verdicts.push(runOf(seed));
parentPort?.postMessage(verdicts, []);
