import type { HttpPool, OpenHttpPool } from '../../src/kernel/http.ts';
import type { Millis } from '../../src/kernel/time.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { openHttpPool } from '../../src/runtime/http-pool.ts';
import { FakeClock } from './clock.ts';

/** Time that stands still while answers are under way over real HTTP: minutes go by in a moment, and always alike. */
export interface StillTime {
  readonly clock: FakeClock;
  readonly openPool: OpenHttpPool;
  /** Lets time go by until the work is done. */
  readonly through: <T>(work: Promise<T>) => Promise<T>;
}

const step: Millis = 250;
/** Of a millisecond each. Who does not answer by then is one who never will: for that, time has to go on. */
const mostNaps = 200;

/** Begins such a time. */
export function stillTime(): StillTime {
  const clock = new FakeClock();
  const underWay = new Set<symbol>();
  const counted = (pool: HttpPool): HttpPool => ({
    request: async (request, signal) => {
      const call = Symbol(request.path);
      underWay.add(call);
      try {
        return await pool.request(request, signal);
      } finally {
        underWay.delete(call);
      }
    },
    sockets: () => pool.sockets(),
    close: () => pool.close(),
  });
  const quiet = async (): Promise<void> => {
    for (let naps = 0; naps === 0 || (underWay.size > 0 && naps < mostNaps); naps += 1) await systemClock.sleep(1);
    await clock.settle();
  };
  return {
    clock,
    openPool: (options) => counted(openHttpPool(options)),
    async through(work) {
      const over = new AbortController();
      const done = work.finally(() => over.abort());
      // Whoever asks for it gets the error; here it only ends the waiting.
      void done.catch(() => undefined);
      for (await quiet(); !over.signal.aborted; await quiet()) await clock.advance(step);
      return done;
    },
  };
}
