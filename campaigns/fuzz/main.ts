import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { keepInput } from './corpus.ts';
import type { FuzzFinding, FuzzTotals } from './fuzz.ts';
import { targets } from './targets/all.ts';

const usage = `npm run fuzz -- [options]
  --minutes 10    duration of each target
  --inputs N      ends a target earlier, after this number of inputs
  --target NAME   only this target; can be repeated: ${targets.map(({ name }) => name).join(', ')}
  --seed 1        seed of the mutations
  --jobs 2        number of targets at a time
Feeds mutations of recorded and kept inputs to everything that reads what others write. An input must not throw, hang, take more
than 1 s of processor time, leave a rejected promise unhandled, exceed the memory of its thread or cause a wrong abort. An
input that does is kept in campaigns/fuzz/corpus, and the exit status is 1.
`;

/** Memory of the thread of a target. */
const memoryLimit = { maxOldGenerationSizeMb: 512 };
/** Time without a new input after which a thread counts as hung: much more than an input takes on a busy machine. */
const hangLimit = 300_000;
/** Maximum length of an input that is kept if its thread hangs or runs out of memory. */
const maxInputLength = 2 ** 18;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    inputs: { type: 'string', default: 'Infinity' },
    target: { type: 'string', multiple: true, default: targets.map(({ name }) => name) },
    seed: { type: 'string', default: '1' },
    jobs: { type: 'string', default: '2' },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) process.stdout.write(usage);
else process.exitCode = (await fuzzAll([...values.target])) ? 0 : 1;

async function fuzzAll(names: string[]): Promise<boolean> {
  let isClean = true;
  const work = async (): Promise<void> => {
    for (let name = names.shift(); name !== undefined; name = names.shift()) {
      const { finding, ...totals } = await fuzzInThread(name);
      process.stdout.write(`${reportLine(name, totals)}\n`);
      if (finding === undefined) continue;
      isClean = false;
      process.stdout.write(`${name}: ${finding.reason}\nkept as ${keepInput(name, finding.input)}\n`);
    }
  };
  await Promise.all(Array.from({ length: Number(values.jobs) }, work));
  return isClean;
}

type ThreadResult = FuzzTotals & { readonly finding?: FuzzFinding };

/** Runs a target in a thread, which is ended if an input hangs or takes all memory. */
async function fuzzInThread(name: string): Promise<ThreadResult> {
  const last = new SharedArrayBuffer(maxInputLength);
  const [seed, minutes, inputs] = [values.seed, values.minutes, values.inputs].map(Number);
  const workerData = { name, seed, minutes, inputs, last };
  const thread = new Worker(new URL('worker.ts', import.meta.url), { workerData, resourceLimits: memoryLimit });
  const ended = new AbortController();
  try {
    return await Promise.race([resultOf(thread, last), hang(last, ended.signal)]);
  } finally {
    ended.abort();
    await thread.terminate();
  }
}

function resultOf(thread: Worker, last: SharedArrayBuffer): Promise<ThreadResult> {
  return new Promise((resolve) => {
    thread.once('message', resolve);
    thread.once('error', (error) => resolve(failedThread(last, String(error))));
    thread.once('exit', (code) => resolve(failedThread(last, `the thread ended with ${code}`)));
  });
}

/** Resolves when the thread has not begun another input for the limit. */
async function hang(last: SharedArrayBuffer, signal: AbortSignal): Promise<ThreadResult> {
  const counter = new Int32Array(last, 0, 2);
  let before = -1;
  while (!signal.aborted) {
    const count = Atomics.load(counter, 1);
    // The thread takes some seconds to load before the first input.
    if (count === before && count > 0) return failedThread(last, `no progress in ${hangLimit} ms`);
    before = count;
    await pause(hangLimit, undefined, { signal }).catch(() => undefined);
  }
  return failedThread(last, 'ended');
}

function failedThread(last: SharedArrayBuffer, reason: string): ThreadResult {
  const bytes = Buffer.from(last);
  const input = bytes.toString('latin1', 8, 8 + bytes.readUInt32LE(0));
  return { inputs: 0, outcomes: 0, slowest: 0, counts: {}, finding: { input, reason } };
}

function reportLine(name: string, { inputs, outcomes, slowest, counts }: FuzzTotals): string {
  const counted = Object.entries(counts).map(([what, count]) => `${count} ${what}`);
  const common = [`${inputs} inputs`, `${outcomes} outcomes`, `slowest ${slowest.toFixed(0)} ms`];
  return `${name}: ${[...common, ...counted].join(', ')}`;
}
