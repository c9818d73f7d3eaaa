import { describe, expect, it } from 'vitest';
import { Tracking, told } from './tracking.ts';

describe('a replica that disappears', () => {
  const both = [told('Online'), told('Online', { replica: '2' })];
  const one = both.slice(0, 1);

  function gone(misses: number, changes = {}): Tracking {
    const tracking = new Tracking(changes);
    for (let time = 0; time < 2; time += 1) tracking.answer(both);
    for (let time = 0; time < misses; time += 1) tracking.answer(one);
    return tracking;
  }

  it('is absent once a second answer lacks it, and that is hard', () => {
    expect(gone(1).view('GPE', '2')).toMatchObject({ observed: 'Online', hard: 'Online' });
    const tracking = gone(2);
    expect(tracking.view('GPE', '2')).toMatchObject({ observed: 'absent', hard: 'absent', process: '' });
    expect(tracking.story).toEqual([' > Online', ' > Online', 'Online > absent']);
    expect(tracking.hardStory.at(-1)).toBe('Online > absent');
  });

  it('says it once', () => {
    expect(gone(20).transitions).toHaveLength(3);
    expect(gone(20).hardStory).toHaveLength(3);
  });

  it('comes back as it is', () => {
    const tracking = gone(5);
    tracking.answer(both);
    expect(tracking.view('GPE', '2')).toMatchObject({ observed: 'Online', hard: 'absent' });
    tracking.answer(both);
    expect(tracking.view('GPE', '2').hard).toBe('Online');
  });

  it('is not absent because nobody could be asked', () => {
    const tracking = gone(1).unable(10);
    expect(tracking.view('GPE', '2')).toMatchObject({ observed: 'unobserved', hard: 'Online' });
  });

  it('is forgotten after a day, and its timeline ends there', () => {
    const tracking = gone(2, { forget: 60_000 });
    for (let time = 0; time < 10; time += 1) tracking.answer(one);
    expect(tracking.views).toHaveLength(2);
    const said = tracking.answer(one);
    expect(tracking.views).toHaveLength(1);
    expect(tracking.story.at(-1)).toBe('absent > ');
    expect(said).toContainEqual({
      kind: 'change',
      change: { table: 'tracker_replicas', drop: { cluster: 'prod', service: 'GPE', partition: '1', replica: '2' } },
    });
    expect(tracking.shown('graphdb_service_flapping', { replica: '2' })).toBeUndefined();
  });

  it('is not forgotten while nobody can be asked', () => {
    const tracking = gone(2, { forget: 60_000 }).unable(100);
    expect(tracking.views).toHaveLength(2);
  });

  it('is forgotten at once when an operator says so', () => {
    const tracking = gone(2);
    tracking.step({
      kind: 'forget',
      replica: { cluster: 'prod', service: 'GPE', partition: '1', replica: '2' },
    });
    expect(tracking.views).toHaveLength(1);
    tracking.answer(both);
    expect(tracking.story.slice(-2)).toEqual(['absent > ', ' > Online']);
  });

  it('that nobody knows cannot be forgotten', () => {
    const unknown = { cluster: 'prod', service: 'GSE', partition: '9', replica: '9' };
    expect(gone(0).step({ kind: 'forget', replica: unknown })).toEqual([]);
  });
});
