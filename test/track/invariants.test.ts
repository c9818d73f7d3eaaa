import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StoreChange } from '../../src/kernel/store.ts';
import { zeroPeriod } from '../../src/metric/first-use.ts';
import type { ServiceState } from '../../src/model/service.ts';
import type { Transition } from '../../src/model/transition.ts';
import { memoryStore } from '../../src/runtime/store/local-store.ts';
import { restoreTracker } from '../../src/track/restore.ts';
import { keyOf } from '../../src/track/tracker.ts';
import { serviceState, statusCode, TrackingHarness, trackingStart } from './tracking-harness.ts';

const status = fc.constantFrom('Online', 'Online', 'Online', 'Down', 'Warmup', 'Hibernating', 'StatusUnchanged');
const event = fc.record({
  status,
  replica: fc.constantFrom('1', '2', ''),
  timestampNs: fc.constantFrom('', '5', '17', '1790000000000000001', '1790000000000000002'),
  process: fc.constantFrom('', 'Running', 'Stopped'),
});
const answers = fc.record({ source: fc.constantFrom('m1', 'm2'), events: fc.array(event, { maxLength: 3 }) });
const arbitraryEvent = fc.oneof(
  { weight: 8, arbitrary: answers.map((answer) => ({ kind: 'answer', ...answer }) as const) },
  { weight: 2, arbitrary: fc.constantFrom({ kind: 'poll_failed' } as const, { kind: 'tick' } as const) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('codes'), code: fc.constantFrom(0, 6, 27, 42) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('wall'), jump: fc.integer({ min: -60_000, max: 60_000 }) }) },
);
type TrackerEvent = typeof arbitraryEvent extends fc.Arbitrary<infer One> ? One : never;

/** One event for each replica, as collectors hand them on. */
function statesOf(events: readonly Partial<ServiceState>[]): readonly ServiceState[] {
  const states = events.map((one) => serviceState(one.status ?? '', one));
  return [...new Map(states.map((state) => [keyOf(state), state])).values()];
}

function happen(tracking: TrackingHarness, one: TrackerEvent): void {
  if ('events' in one) tracking.pollStates(statesOf(one.events), one.source);
  else if ('code' in one) tracking.step({ kind: 'codes', codes: [statusCode(one.code)], interval: 15_000 });
  else if ('jump' in one) tracking.wall += one.jump;
  else tracking.pass(5000).step(one);
}

function changesOf({ outputs }: TrackingHarness): readonly StoreChange[] {
  return outputs.flatMap((output) => (output.kind === 'change' ? [output.change] : []));
}

/** The timelines of all replicas hang together: each begins where the one before ended. */
function expectChains(transitions: readonly Transition[]): void {
  const last = new Map<string, Transition>();
  for (const transition of transitions) {
    const before = last.get(keyOf(transition));
    expect(transition.from).toBe(before?.to ?? '');
    expect(transition.to).not.toBe(transition.from);
    if (before !== undefined) {
      expect(transition.at).toBeGreaterThan(before.at);
      expect(transition.duration).toBe(transition.at - before.at);
    }
    last.set(keyOf(transition), transition);
  }
}

describe('any sequence of inputs', () => {
  it('timelines are continuous, and end with the observed status', () => {
    fc.assert(
      fc.property(fc.array(arbitraryEvent, { maxLength: 60 }), (events) => {
        const tracking = new TrackingHarness();
        for (const one of events) happen(tracking, one);
        expectChains(tracking.transitions);
        for (const view of tracking.state.replicas.values()) {
          const last = tracking.transitions.findLast((one) => keyOf(one) === keyOf(view));
          expect(last).toMatchObject({ to: view.observed, at: view.observedSince });
          expect(view.confirmed).not.toBe('');
        }
        const isBlind = tracking.state.unobservedSince !== undefined;
        expect(tracking.views.every(({ observed }) => !isBlind || observed === 'unobserved')).toBe(true);
      }),
    );
  });

  it('only an observed status is confirmed, and each confirmed change starts from the previous one', () => {
    fc.assert(
      fc.property(fc.array(arbitraryEvent, { maxLength: 60 }), (events) => {
        const tracking = new TrackingHarness();
        for (const one of events) happen(tracking, one);
        const hard = new Map<string, string>();
        for (const output of tracking.outputs) {
          if (output.kind !== 'confirmed') continue;
          const key = keyOf(output.replica);
          expect(output.from).toBe(hard.get(key) ?? 'unobserved');
          expect(['Online', 'Down', 'Warmup', 'Hibernating', 'absent']).toContain(output.replica.confirmed);
          hard.set(key, output.replica.confirmed);
        }
        for (const view of tracking.views) expect(view.confirmed).toBe(hard.get(keyOf(view)) ?? 'unobserved');
      }),
    );
  });

  it('the counters are those of the timeline', () => {
    fc.assert(
      fc.property(fc.array(arbitraryEvent, { maxLength: 60 }), (events) => {
        const tracking = new TrackingHarness();
        for (const one of events) happen(tracking, one);
        const online = tracking.transitions.filter(({ to, replica }) => to === 'Online' && replica === '1').length;
        tracking.pass(zeroPeriod);
        const shown = tracking.shown('graphdb_service_transitions_total', { replica: '1', to: 'Online' });
        expect(shown ?? 0).toBe(online);
      }),
    );
  });
});

describe('wherever it is cut off', () => {
  it('the timeline continues after a restart, without repeated confirmations', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(arbitraryEvent, { maxLength: 30 }),
        fc.array(arbitraryEvent, { maxLength: 30 }),
        async (before, after) => {
          const store = memoryStore();
          const first = new TrackingHarness();
          for (const one of before) happen(first, one);
          await store.commit(changesOf(first));
          const at = { wall: Math.max(first.wall, trackingStart) + 60_000, mono: 3 };
          const second = new TrackingHarness({}, await restoreTracker('prod', store, at), at);
          expect(second.views.map(({ confirmed }) => confirmed)).toEqual(
            first.views
              .toSorted((one, other) => (one.replica < other.replica ? -1 : 1))
              .map(({ confirmed }) => confirmed),
          );
          for (const one of after) happen(second, one);
          second.step({ kind: 'tick' });
          expectChains([...first.transitions, ...second.transitions]);
          await store.close();
        },
      ),
    );
  });
});
