import { describe, expect, it } from 'vitest';
import { type TrackedReplica, unknownReplica } from '../../src/track/replica.ts';
import { viewsOf } from '../../src/track/views.ts';
import { start, Tracking, told } from './tracking.ts';

function replicas(...those: readonly Partial<TrackedReplica>[]) {
  const all = those.map((own, at) => {
    const id = { service: 'GPE', partition: '1', replica: String(at + 1) };
    return [String(at), { ...unknownReplica(id, { wall: start, mono: 0 }), ...own }] as const;
  });
  return { replicas: new Map(all), blindSince: undefined };
}

function online(...those: readonly Partial<TrackedReplica>[]): number | undefined {
  return viewsOf(replicas(...those), 'prod').partitions[0]?.online;
}

const up = { observed: 'Online', hard: 'Online' };
const down = { observed: 'Down', hard: 'Down' };
const hidden = { observed: 'unobserved', hard: 'Online' };

describe('the view of a replica', () => {
  it('has its cluster, and nothing of how the tracker works', () => {
    const tracking = new Tracking().says('Online', 'Online', 'Down');
    expect(tracking.view()).toEqual({
      cluster: 'prod',
      service: 'GPE',
      partition: '1',
      replica: '1',
      observed: 'Down',
      observedSince: start + 15_000,
      hard: 'Online',
      hardSince: start + 5000,
      flapping: false,
      process: 'Running',
      disputed: false,
    });
  });
});

describe('the view while nobody can be asked', () => {
  const blindSince = { wall: start + 7, mono: 7 };

  it('shows no status, from the first time on', () => {
    const views = viewsOf({ ...replicas({ ...up, disputed: true }, down), blindSince }, 'prod');
    expect(views.replicas.map(({ observed, observedSince, hard }) => [observed, observedSince, hard])).toEqual([
      ['unobserved', start + 7, 'Online'],
      ['unobserved', start + 7, 'Down'],
    ]);
    expect(views.replicas[0]?.disputed).toBe(false);
    expect(views.partitions[0]?.online).toBeUndefined();
  });

  it('leaves alone what was not observed before', () => {
    const { replicas: views } = viewsOf({ ...replicas(hidden), blindSince }, 'prod');
    expect(views[0]?.observedSince).toBe(start);
  });
});

describe('the view of a partition', () => {
  it('counts replicas by what is hard', () => {
    expect(online(up, up, down)).toBe(2);
    expect(online(down, { observed: 'absent', hard: 'absent' })).toBe(0);
    expect(online({ observed: 'Down', hard: 'Online' })).toBe(1);
    expect(online({ observed: 'Online', hard: 'Down' })).toBe(0);
  });

  it('counts none that is not observed, and says nothing while none is', () => {
    expect(online(up, hidden)).toBe(1);
    expect(online(down, hidden)).toBe(0);
    expect(online(hidden, hidden)).toBeUndefined();
  });

  it('says nothing before the first status was confirmed', () => {
    expect(new Tracking().says('Online').view().hard).toBe('unobserved');
    expect(online({ observed: 'Online', hard: 'unobserved' })).toBeUndefined();
    expect(online(down, { observed: 'Online', hard: 'unobserved' })).toBe(0);
  });

  it('is one for each service and partition, in the order of the replicas', () => {
    const tracking = new Tracking();
    const states = [
      told('Online'),
      told('Online', { partition: '2' }),
      told('Down', { replica: '2' }),
      told('Online', { service: 'RESTPP', partition: '' }),
    ];
    tracking.answer(states);
    tracking.answer(states);
    expect(viewsOf(tracking.state, 'prod').partitions).toEqual([
      { cluster: 'prod', service: 'GPE', partition: '1', replicas: 2, online: 1 },
      { cluster: 'prod', service: 'GPE', partition: '2', replicas: 1, online: 1 },
      { cluster: 'prod', service: 'RESTPP', partition: '', replicas: 1, online: 1 },
    ]);
  });
});
