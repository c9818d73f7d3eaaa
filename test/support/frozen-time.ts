import type { HttpPool, OpenHttpPool } from '../../src/kernel/http.ts';
import { ok } from '../../src/kernel/result.ts';
import type { LineFiles } from '../../src/kernel/system.ts';
import type { Millis } from '../../src/kernel/time.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { openHttpPool } from '../../src/runtime/http-pool.ts';
import { lineFiles } from '../../src/runtime/line-files.ts';
import { FakeClock } from './clock.ts';

/**
 * Time that stands still while answers are under way over real HTTP, or lines to a real file: minutes go by in a moment,
 * and always alike.
 */
export interface FrozenTime {
  readonly clock: FakeClock;
  readonly openPool: OpenHttpPool;
  readonly lineFiles: LineFiles;
  /** Lets time go by until the work is done. */
  readonly through: <T>(work: Promise<T>) => Promise<T>;
}

const step: Millis = 250;
/** Of a millisecond each. Who does not answer by then is one who never will: for that, time has to go on. */
const maxSleeps = 200;

/** Begins such a time. */
export function frozenTime(): FrozenTime {
  const clock = new FakeClock();
  const underWay = new Set<symbol>();
  const whileIn = async <Outcome>(work: Promise<Outcome>): Promise<Outcome> => {
    const mark = Symbol('under way');
    underWay.add(mark);
    return work.finally(() => underWay.delete(mark));
  };
  const counted = (pool: HttpPool): HttpPool => ({
    request: (request, signal) => whileIn(pool.request(request, signal)),
    sockets: () => pool.sockets(),
    close: () => pool.close(),
  });
  const create: LineFiles['create'] = async (...given) => {
    const writer = await whileIn(lineFiles.create(...given));
    if (!writer.ok) return writer;
    const { value } = writer;
    return ok({ write: (line) => whileIn(value.write(line)), close: () => whileIn(value.close()) });
  };
  const quiet = async (): Promise<void> => {
    for (let sleeps = 0; sleeps === 0 || (underWay.size > 0 && sleeps < maxSleeps); sleeps += 1)
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
      for (await quiet(); !over.signal.aborted; await quiet()) await clock.advance(step);
      return done;
    },
  };
}
