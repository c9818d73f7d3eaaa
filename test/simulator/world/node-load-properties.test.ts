import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTopology } from '../../../src/simulator/topology.ts';
import { serverRelease } from '../../../src/simulator/versions.ts';
import { runEventsUntil } from '../../../src/simulator/world/event-source.ts';
import { inQueue, NodeLoad } from '../../../src/simulator/world/node-load.ts';
import { installedQuery, type QueueName, queueNames } from '../../../src/simulator/world/query.ts';

type Step =
  | { readonly kind: 'start'; readonly runsFor: number; readonly timeout: number; readonly queue: QueueName }
  | { readonly kind: 'wait'; readonly length: number }
  | { readonly kind: 'abort'; readonly nth: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: startStep() },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('wait' as const), length: fc.integer({ min: 0, max: 400 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('abort' as const), nth: fc.integer({ min: 0, max: 5 }) }) },
);

function startStep(): fc.Arbitrary<Step> {
  return fc.record({
    kind: fc.constant('start' as const),
    runsFor: fc.integer({ min: 1, max: 600 }),
    timeout: fc.integer({ min: 1, max: 600 }),
    queue: fc.constantFrom(...queueNames),
  });
}

const limits = { OLTP: { running: 3, delayed: 2 }, AdHoc: { running: 1, delayed: 1 } };
const host = createTopology(1, serverRelease('4.1.2')).hosts[0] ?? expect.fail('a host');

interface RunResult {
  readonly load: NodeLoad;
  readonly accepted: ReadonlySet<string>;
  readonly refused: number;
  readonly now: number;
}

function run(steps: readonly Step[], watch: (load: NodeLoad) => void): RunResult {
  const load = new NodeLoad(host, { limits, clockOffset: () => 0 });
  const accepted = new Set<string>();
  let refused = 0;
  let now = 0;
  for (const one of steps) {
    if (one.kind === 'wait') {
      now += one.length;
      runEventsUntil([load], now);
    } else if (one.kind === 'abort') {
      const chosen = load.running[one.nth];
      load.abort((query) => query === chosen, now);
    } else {
      const { kind: _, queue, ...times } = one;
      const order = installedQuery({ graph: 'g', query: 'q', parameters: '', detached: true, ...times });
      const started = load.start({ ...order, queue }, now);
      if (started === undefined) refused += 1;
      else accepted.add(started.requestId);
    }
    watch(load);
  }
  return { load, accepted, refused, now };
}

function ids(queries: readonly { readonly requestId: string }[]): readonly string[] {
  return queries.map(({ requestId }) => requestId);
}

describe('random load of a node', () => {
  it('no queue exceeds its limit, and no query waits while a slot is free', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        run(steps, (load) => {
          for (const name of queueNames) {
            const running = inQueue(load.running, name).length;
            const delayed = inQueue(load.delayed, name).length;
            expect(running).toBeLessThanOrEqual(limits[name].running);
            expect(delayed).toBeLessThanOrEqual(limits[name].delayed);
            if (delayed > 0) expect(running).toBe(limits[name].running);
          }
        });
      }),
    );
  });

  it('each accepted query is in one list, and ends once', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const { load, accepted, refused, now } = run(steps, (one) => {
          const everywhere = ids([...one.running, ...one.delayed, ...one.endedSince(0)]);
          expect(new Set(everywhere).size).toBe(everywhere.length);
        });
        expect(load.rejected).toBe(refused);
        runEventsUntil([load], now + 1_000_000);
        expect(new Set(ids(load.endedSince(0)))).toEqual(accepted);
        expect([...load.running, ...load.delayed]).toEqual([]);
      }),
    );
  });

  it('no query runs longer than its duration or its granted timeout', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const { load, now } = run(steps, () => undefined);
        runEventsUntil([load], now + 1_000_000);
        for (const { startedAt = 0, endedAt = 0, state, runsFor, timeout } of load.endedSince(0)) {
          const ran = endedAt - startedAt;
          if (state === 'success') expect([ran, runsFor <= timeout]).toEqual([runsFor, true]);
          else if (state === 'timeout') expect([ran, timeout < runsFor]).toEqual([timeout, true]);
          else expect(ran).toBeLessThanOrEqual(Math.min(runsFor, timeout));
        }
      }),
    );
  });

  it('the result does not depend on the number of time steps', () => {
    fc.assert(
      fc.property(fc.array(startStep(), { maxLength: 12 }), fc.integer({ min: 1, max: 50 }), (starts, pace) => {
        const waits = Array.from({ length: Math.ceil(1_500 / pace) }, (): Step => ({ kind: 'wait', length: pace }));
        const total = waits.length * pace;
        const often = run([...starts, ...waits], () => undefined);
        const once = run([...starts, { kind: 'wait', length: total }], () => undefined);
        expect(often.load.endedSince(0)).toEqual(once.load.endedSince(0));
      }),
    );
  });
});
