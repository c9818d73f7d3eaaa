import type { HttpPool, OpenHttpPool } from '../../src/kernel/http.ts';
import { ok } from '../../src/kernel/result.ts';
import type { LineFiles } from '../../src/kernel/system.ts';
import type { Millis } from '../../src/kernel/time.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { openHttpPool } from '../../src/runtime/http-pool.ts';
import { lineFiles } from '../../src/runtime/line-files.ts';
import { FakeClock } from './clock.ts';

/**
 * Fake clock for tests with real HTTP and files. It does not advance while a request or a write is in flight, so that a test
 * over minutes runs in a moment and has the same times in each run.
 */
export interface FrozenTime {
  readonly clock: FakeClock;
  readonly openPool: OpenHttpPool;
  readonly lineFiles: LineFiles;
  /** Advances the clock until the work is done. */
  readonly through: <T>(work: Promise<T>) => Promise<T>;
}

const step: Millis = 250;
/** Number of sleeps of a millisecond after which a request counts as hung, so that the clock advances to its timeout. */
const maxSleeps = 200;

/** Creates a frozen time. */
export function frozenTime(): FrozenTime {
  const clock = new FakeClock();
  const inFlight = new Set<symbol>();
  const tracked = async <Outcome>(work: Promise<Outcome>): Promise<Outcome> => {
    const mark = Symbol('in flight');
    inFlight.add(mark);
    return work.finally(() => inFlight.delete(mark));
  };
  const counted = (pool: HttpPool): HttpPool => ({
    request: (request, signal) => tracked(pool.request(request, signal)),
    sockets: () => pool.sockets(),
    close: () => pool.close(),
  });
  const create: LineFiles['create'] = async (...given) => {
    const writer = await tracked(lineFiles.create(...given));
    if (!writer.ok) return writer;
    const { value } = writer;
    return ok({ write: (line) => tracked(value.write(line)), close: () => tracked(value.close()) });
  };
  const settled = async (): Promise<void> => {
    for (let sleeps = 0; sleeps === 0 || (inFlight.size > 0 && sleeps < maxSleeps); sleeps += 1)
      await systemClock.sleep(1);
    await clock.settle();
  };
  return {
    clock,
    openPool: (options) => counted(openHttpPool(options)),
    lineFiles: { ...lineFiles, create },
    async through(work) {
      const over = new AbortController();
      const done = work.finally(() => over.abort());
      // The caller receives the error from `work`; here it only ends the wait.
      void done.catch(() => undefined);
      for (await settled(); !over.signal.aborted; await settled()) await clock.advance(step);
      return done;
    },
  };
}
