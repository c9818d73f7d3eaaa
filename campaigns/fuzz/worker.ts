import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';
import { keptInputs } from './corpus.ts';
import { fuzz } from './fuzz.ts';
import { targets } from './targets/all.ts';

/** Data of the thread that runs a target. */
const { name, seed, minutes, inputs, last } = z
  .object({
    name: z.string(),
    seed: z.number(),
    minutes: z.number(),
    /** Infinity for no limit. */
    inputs: z.number().or(z.literal(Number.POSITIVE_INFINITY)),
    last: z.instanceof(SharedArrayBuffer),
  })
  .parse(workerData);
const target = targets.find((one) => one.name === name);
if (target === undefined) throw new Error(`unknown target ${name}`);

// One invalid YAML text causes thousands of errors, and most of the time would go into their stacks.
Error.stackTraceLimit = 2;
const end = performance.now() + minutes * 60_000;
const bytes = Buffer.from(last);
/** Length of the last input, and number of inputs. */
const header = new Int32Array(last, 0, 2);
const result = await fuzz(target, {
  seed,
  kept: keptInputs(name),
  goesOn: (totals) => totals.inputs < inputs && performance.now() < end,
  onInput: (input) => {
    Atomics.store(header, 0, bytes.write(input, 8, 'latin1'));
    Atomics.add(header, 1, 1);
  },
});
parentPort?.postMessage(result, []);
