import { describe, expect, it } from 'vitest';
import { difference, farewell, stored } from '../../src/track/differences.ts';
import { unknownReplica } from '../../src/track/replica.ts';
import { start } from './tracking.ts';

const blank = unknownReplica({ service: 'GPE', partition: '1', replica: '1' }, { wall: start, mono: 0 });
const online = { ...blank, observed: 'Online', hard: 'Online', status: 'Online', observedSince: start };
const down = { ...online, observed: 'Down', status: 'Down', observedSince: start + 5000 };

describe('a difference', () => {
  it('is none where nothing became different, nor where only an event is new', () => {
    expect(difference('prod', online, online).outputs).toEqual([]);
    expect(difference('prod', online, { ...online, eventId: 'e2', eventNs: '2', seen: 9 }).outputs).toEqual([]);
  });

  it('counts what it leads to', () => {
    const { replica } = difference('prod', online, { ...down, counts: { Down: 4, Online: 2 } });
    expect(replica.counts).toEqual({ Down: 5, Online: 2 });
  });

  it('stores the transition before it says that anything is hard', () => {
    const { outputs } = difference('prod', online, { ...down, hard: 'Down' });
    expect(outputs.map(({ kind }) => kind)).toEqual(['transition', 'change', 'change', 'change', 'hard']);
  });

  it('says what was hard before', () => {
    const { outputs } = difference('prod', online, { ...online, hard: 'Down' });
    expect(outputs.at(-1)).toMatchObject({ kind: 'hard', from: 'Online', replica: { cluster: 'prod', hard: 'Down' } });
  });

  it('of a new replica has no former state and no length of it', () => {
    const [first] = difference('prod', undefined, online).outputs;
    expect(first).toMatchObject({ kind: 'transition', transition: { from: '', to: 'Online', at: start } });
    expect(first).not.toHaveProperty('transition.lasted');
  });

  it('of a new replica may be hard at once', () => {
    const { outputs } = difference('prod', undefined, online);
    expect(outputs.at(-1)).toMatchObject({ kind: 'hard', from: 'unobserved' });
    expect(difference('prod', undefined, { ...online, hard: 'unobserved' }).outputs).toHaveLength(4);
  });

  it('tells that flapping began, and that it ended', () => {
    const flapping = { ...online, flapping: true };
    expect(difference('prod', online, flapping).outputs.map(({ kind }) => kind)).toEqual(['change', 'flapping']);
    expect(difference('prod', flapping, online).outputs.at(-1)).toMatchObject({ replica: { flapping: false } });
  });
});

describe('a farewell', () => {
  it('ends the timeline and drops the rest', () => {
    const gone = { ...online, observed: 'absent' };
    const outputs = farewell('prod', gone, start + 60_000);
    expect(outputs[0]).toMatchObject({
      kind: 'transition',
      transition: { from: 'absent', to: '', at: start + 60_000, lasted: 60_000 },
    });
    const tables = outputs.flatMap((output) => (output.kind === 'change' ? [output.change.table] : []));
    expect(tables).toEqual(['transitions', 'tracker_replicas', 'tracker_counts']);
  });

  it('comes after what was before it', () => {
    expect(farewell('prod', online, start - 60_000)[0]).toMatchObject({ transition: { at: start + 1 } });
  });
});

describe('changes as outputs', () => {
  it('keep their order', () => {
    const one = { table: 'a', drop: {} };
    const other = { table: 'b', drop: {} };
    expect(stored(one, other)).toEqual([
      { kind: 'change', change: one },
      { kind: 'change', change: other },
    ]);
  });
});
