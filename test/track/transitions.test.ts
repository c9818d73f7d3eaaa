import { describe, expect, it } from 'vitest';
import { newReplica } from '../../src/track/replica.ts';
import { batchesOf, replicaDifference, replicaRemoved, storeChanges } from '../../src/track/transitions.ts';
import { trackingStart } from './tracking-harness.ts';

const blank = newReplica({ service: 'GPE', partition: '1', replica: '1' }, { wall: trackingStart, mono: 0 });
const online = { ...blank, observed: 'Online', confirmed: 'Online', status: 'Online', observedSince: trackingStart };
const now = { wall: trackingStart + 5000, mono: 5000 };
const down = { ...online, observed: 'Down', status: 'Down', observedSince: trackingStart + 5000 };

describe('a difference', () => {
  it('is absent without a change, and for a new event only', () => {
    expect(replicaDifference('prod', online, online, now).outputs).toEqual([]);
    expect(
      replicaDifference('prod', online, { ...online, eventId: 'e2', eventNs: '2', consecutiveObservations: 9 }, now)
        .outputs,
    ).toEqual([]);
  });

  it('counts the new status', () => {
    const { replica } = replicaDifference('prod', online, { ...down, transitionCounts: { Down: 4, Online: 2 } }, now);
    expect(replica.transitionCounts).toEqual({ Down: 5, Online: 2 });
  });

  it('stores the transition before it reports the confirmed status', () => {
    const { outputs } = replicaDifference('prod', online, { ...down, confirmed: 'Down' }, now);
    expect(outputs.map(({ kind }) => kind)).toEqual(['transition', 'change', 'change', 'change', 'confirmed']);
  });

  it('reports the previous confirmed status', () => {
    const { outputs } = replicaDifference('prod', online, { ...online, confirmed: 'Down' }, now);
    expect(outputs.at(-1)).toMatchObject({
      kind: 'confirmed',
      from: 'Online',
      replica: { cluster: 'prod', confirmed: 'Down' },
    });
  });

  it('of a new replica has no former state and no duration', () => {
    const [first] = replicaDifference('prod', undefined, online, now).outputs;
    expect(first).toMatchObject({ kind: 'transition', transition: { from: '', to: 'Online', at: trackingStart } });
    expect(first).not.toHaveProperty('transition.lasted');
  });

  it('of a new replica may be confirmed at once', () => {
    const { outputs } = replicaDifference('prod', undefined, online, now);
    expect(outputs.at(-1)).toMatchObject({ kind: 'confirmed', from: 'unobserved' });
    expect(replicaDifference('prod', undefined, { ...online, confirmed: 'unobserved' }, now).outputs).toHaveLength(4);
  });

  it('reports the start and the end of flapping', () => {
    const flapping = { ...online, isFlapping: true };
    expect(replicaDifference('prod', online, flapping, now).outputs.map(({ kind }) => kind)).toEqual([
      'change',
      'flapping',
    ]);
    expect(replicaDifference('prod', flapping, online, now).outputs.at(-1)).toMatchObject({
      replica: { flapping: false },
    });
  });
});

describe('the removal of a replica', () => {
  it('ends the timeline and drops the rest', () => {
    const gone = { ...online, observed: 'absent' };
    const outputs = replicaRemoved('prod', gone, trackingStart + 60_000);
    expect(outputs[0]).toMatchObject({
      kind: 'transition',
      transition: { from: 'absent', to: '', at: trackingStart + 60_000, duration: 60_000 },
    });
    const tables = outputs.flatMap((output) => (output.kind === 'change' ? [output.change.table] : []));
    expect(tables).toEqual(['transitions', 'tracker_replicas', 'tracker_counts']);
  });

  it('follows earlier transitions', () => {
    expect(replicaRemoved('prod', online, trackingStart - 60_000)[0]).toMatchObject({
      transition: { at: trackingStart + 1 },
    });
  });
});

describe('changes as outputs', () => {
  it('keep their order', () => {
    const one = { table: 'a', drop: {} };
    const other = { table: 'b', drop: {} };
    expect(storeChanges(one, other)).toEqual([
      { kind: 'change', change: one },
      { kind: 'change', change: other },
    ]);
  });
});

describe('batches of changes', () => {
  it('are one batch for few instances, and keep the changes of an instance together', () => {
    const { outputs } = replicaDifference('prod', online, { ...down, confirmed: 'Down' }, now);
    expect(batchesOf([])).toEqual([[]]);
    expect(batchesOf([...outputs, ...outputs])).toHaveLength(1);
    const batches = batchesOf(Array.from({ length: 400 }, () => outputs).flat());
    expect(batches.map(({ length }) => length)).toEqual([501, 501, 198]);
    expect(batches.map((changes) => changes.at(-1)?.table)).toEqual(Array(3).fill('tracker_replicas'));
  });
});
