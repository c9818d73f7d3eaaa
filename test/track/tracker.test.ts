import { describe, expect, it } from 'vitest';
import { coded, start, Tracking, told } from './tracking.ts';

const replica = { service_name: 'GPE', partition: '1', replica: '1' };

describe('what is observed', () => {
  it('begins with the first answer, and is hard after the second', () => {
    const tracking = new Tracking().says('Online');
    expect(tracking.view()).toMatchObject({ observed: 'Online', hard: 'unobserved' });
    expect(tracking.story).toEqual([' > Online']);
    tracking.says('Online');
    expect(tracking.view()).toMatchObject({ observed: 'Online', hard: 'Online', hardSince: start + 5000 });
    expect(tracking.hardStory).toEqual(['unobserved > Online']);
    expect(tracking.story).toHaveLength(1);
  });

  it('tells all of a change', () => {
    const tracking = new Tracking().says('Online', 'Online');
    const event = { eventId: 'e7', timestampNs: '1790000000000000007', process: 'Stopped' };
    tracking.answer([told('Down', event)], 'm2');
    expect(tracking.transitions.at(-1)).toEqual({
      cluster: 'prod',
      service: 'GPE',
      partition: '1',
      replica: '1',
      at: start + 15_000,
      from: 'Online',
      to: 'Down',
      process: 'Stopped',
      eventId: 'e7',
      eventNs: '1790000000000000007',
      lasted: 10_000,
      source: 'm2',
    });
  });

  it('is soft until it was confirmed, and a single other answer confirms nothing', () => {
    const tracking = new Tracking().says('Online', 'Online', 'Down', 'Online', 'Online');
    expect(tracking.hardStory).toEqual(['unobserved > Online']);
    expect(tracking.story).toEqual([' > Online', 'Online > Down', 'Down > Online']);
    expect(tracking.view()).toMatchObject({ hard: 'Online', hardSince: start + 5000 });
  });

  it('is hard at once where one reading is enough', () => {
    const tracking = new Tracking({ confirm: 1 }).says('Online', 'Down');
    expect(tracking.hardStory).toEqual(['unobserved > Online', 'Online > Down']);
  });

  it('is hard after a while too, without a further reading', () => {
    const tracking = new Tracking({ confirm: 10, hold: 8000 }).says('Online', 'Online', 'Online', 'Down');
    expect(tracking.view().hard).toBe('Online');
    tracking.pass(7999).step({ kind: 'beat' });
    expect(tracking.view().hard).toBe('Online');
    tracking.pass(1).step({ kind: 'beat' });
    expect(tracking.view()).toMatchObject({ hard: 'Down', hardSince: start + 20_000 });
  });

  it('keeps its order where the wall clock steps back', () => {
    const tracking = new Tracking().says('Online', 'Online');
    tracking.wall -= 3_600_000;
    tracking.says('Down', 'Online');
    const times = tracking.transitions.map(({ at }) => at);
    expect(times).toEqual([start + 5000, start + 5001, start + 5002]);
    expect(tracking.transitions.at(-1)?.lasted).toBe(1);
  });
});

describe('a status or code that the documents do not know', () => {
  it('is told verbatim, and counted as unrecognised', () => {
    const tracking = new Tracking().says('Online', 'Hibernating', 'Hibernating');
    expect(tracking.story).toEqual([' > Online', 'Online > Hibernating']);
    expect(tracking.view()).toMatchObject({ observed: 'Hibernating', hard: 'Hibernating' });
    expect(tracking.shown('graphdb_service_transitions_total', { ...replica, to: 'unrecognised' })).toBe(1);
  });

  it('is another transition where one follows the other', () => {
    const tracking = new Tracking().says('Hibernating', 'Dreaming');
    expect(tracking.story).toEqual([' > Hibernating', 'Hibernating > Dreaming']);
    expect(tracking.shown('graphdb_service_transitions_total', { ...replica, to: 'unrecognised' })).toBe(2);
  });

  it('agrees with an unknown code, as far as anybody can tell, and with no known one', () => {
    const tracking = new Tracking().says('Hibernating');
    tracking.step({ kind: 'codes', codes: [coded(42)], interval: 15_000 });
    tracking.pass(600_000).step({ kind: 'codes', codes: [coded(42)], interval: 15_000 });
    expect(tracking.view().disputed).toBe(false);
    tracking.step({ kind: 'codes', codes: [coded(6)], interval: 15_000 });
    tracking.pass(600_000).step({ kind: 'codes', codes: [coded(6)], interval: 15_000 });
    expect(tracking.view().disputed).toBe(true);
  });

  it('is no word that an object happens to have', () => {
    const tracking = new Tracking().says('constructor', '__proto__');
    expect(tracking.story).toEqual([' > constructor', 'constructor > __proto__']);
    expect(tracking.shown('graphdb_service_transitions_total', { ...replica, to: 'unrecognised' })).toBe(2);
  });
});

describe('a service without partition or replica', () => {
  it('is one of its own, whatever else has its name', () => {
    const tracking = new Tracking();
    const etcd = told('Online', { service: 'ETCD', partition: '', replica: '' });
    const exe = told('Down', { service: 'EXE', partition: '1', replica: '' });
    const other = told('Warmup', { service: 'EXE', partition: '', replica: '1' });
    tracking.answer([etcd, exe, other]);
    expect(
      tracking.views.map(({ service, partition, replica: own, observed }) => [service, partition, own, observed]),
    ).toEqual([
      ['ETCD', '', '', 'Online'],
      ['EXE', '1', '', 'Down'],
      ['EXE', '', '1', 'Warmup'],
    ]);
    expect(tracking.shown('graphdb_service_flapping', { service_name: 'ETCD', partition: '', replica: '' })).toBe(0);
  });

  it('keeps its row apart: nothing is lost by empty words', () => {
    const tracking = new Tracking();
    tracking.answer([told('Online', { service: 'ETCD', partition: '', replica: '' })]);
    const put = tracking.outputs.flatMap((output) => (output.kind === 'change' ? [output.change] : []));
    expect(put).toContainEqual({
      table: 'tracker_replicas',
      put: expect.objectContaining({ cluster: 'prod', service: 'ETCD', partition: '', replica: '' }),
    });
  });
});

describe('an answer without news', () => {
  it('keeps the last status for three readings, then the replica is unobserved', () => {
    const tracking = new Tracking().says('Online', 'Online', 'StatusUnchanged', 'StatusUnchanged', 'StatusUnchanged');
    expect(tracking.view().observed).toBe('Online');
    tracking.says('StatusUnchanged');
    expect(tracking.view()).toMatchObject({ observed: 'unobserved', hard: 'Online' });
    tracking.says('StatusUnchanged', 'Online');
    expect(tracking.story).toEqual([' > Online', 'Online > unobserved', 'unobserved > Online']);
  });

  it('confirms what it keeps', () => {
    const tracking = new Tracking().says('Online', 'Online', 'Down', 'StatusUnchanged');
    expect(tracking.view().hard).toBe('Down');
  });

  it('says nothing of a replica of which nothing is known', () => {
    const tracking = new Tracking().says('StatusUnchanged');
    expect(tracking.view()).toMatchObject({ observed: 'unobserved', hard: 'unobserved' });
    expect(tracking.story).toEqual([' > unobserved']);
  });

  it('says nothing after a gap either: it may be unchanged since then', () => {
    const tracking = new Tracking().says('Online', 'Online').unable(2).says('StatusUnchanged');
    expect(tracking.view().observed).toBe('unobserved');
  });

  it('begins to count anew with every word', () => {
    const three = ['StatusUnchanged', 'StatusUnchanged', 'StatusUnchanged'];
    const tracking = new Tracking().says('Online', ...three, 'Online', ...three);
    expect(tracking.story).toEqual([' > Online']);
  });
});

describe('not being able to ask', () => {
  it('is never a status: the observed one goes, the hard one stays', () => {
    const tracking = new Tracking().says('Down', 'Down').unable(3);
    expect(tracking.view()).toMatchObject({ observed: 'unobserved', hard: 'Down', hardSince: start + 5000 });
    tracking.says('Down');
    expect(tracking.story).toEqual([' > Down', 'Down > unobserved', 'unobserved > Down']);
    expect(tracking.hardStory).toEqual(['unobserved > Down']);
    expect(tracking.transitions.at(-1)?.lasted).toBe(15_000);
  });

  it('once is no transition, and yet nothing is shown meanwhile', () => {
    const tracking = new Tracking().says('Online', 'Online').unable();
    expect(tracking.view()).toMatchObject({ observed: 'unobserved', observedSince: start + 15_000, hard: 'Online' });
    expect(tracking.shown('graphdb_service_state_since_timestamp_seconds')).toBeUndefined();
    tracking.says('Online');
    expect(tracking.view()).toMatchObject({ observed: 'Online', observedSince: start + 5000 });
    expect(tracking.story).toEqual([' > Online']);
  });

  it('twice is a transition from the first time on', () => {
    const tracking = new Tracking().says('Online', 'Online').unable(5);
    expect(tracking.story).toEqual([' > Online', 'Online > unobserved']);
    expect(tracking.transitions.at(-1)).toMatchObject({ at: start + 15_000, lasted: 10_000 });
  });

  it('every other time fills no timeline', () => {
    const tracking = new Tracking();
    for (let time = 0; time < 50; time += 1) tracking.says('Online').unable();
    expect(tracking.transitions).toHaveLength(1);
  });

  it('counts as no time observed, however short it was', () => {
    const tracking = new Tracking().says('Online', 'Online').unable().says('Online', 'Online');
    expect(tracking.shown('graphdb_service_observed_seconds_total')).toBe(10);
  });

  it('between two equal observations contradicts neither', () => {
    const tracking = new Tracking().says('Online', 'Online', 'Down').unable().says('Down');
    expect(tracking.view().hard).toBe('Down');
  });

  it('is what silence is, once three readings neither came nor failed', () => {
    const tracking = new Tracking().says('Online', 'Online');
    tracking.pass(15_000).step({ kind: 'beat' });
    expect(tracking.view().observed).toBe('Online');
    tracking.pass(1).step({ kind: 'beat' });
    expect(tracking.view().observed).toBe('unobserved');
    expect(tracking.pass(5000).step({ kind: 'beat' })).toEqual([]);
  });

  it('never began: nothing is known, nothing is said', () => {
    const tracking = new Tracking().unable(5);
    expect(tracking.outputs).toEqual([]);
    expect(tracking.views).toEqual([]);
  });
});

function beats(tracking: Tracking): readonly number[] {
  return tracking.outputs.flatMap((output) =>
    output.kind === 'change' && 'put' in output.change && output.change.table === 'tracker_clusters'
      ? [Number(output.change.put.observed_until)]
      : [],
  );
}

describe('the heartbeat', () => {
  it('is stored with the first good answer and every 30 s', () => {
    const tracking = new Tracking().says(...Array.from({ length: 14 }, () => 'Online'));
    expect(beats(tracking)).toEqual([start + 5000, start + 35_000, start + 65_000]);
  });

  it('is not stored while nobody can be asked', () => {
    const tracking = new Tracking().says('Online').unable(100);
    expect(beats(tracking)).toHaveLength(1);
  });

  it('goes on where the wall clock was set back', () => {
    const tracking = new Tracking().says('Online');
    tracking.wall -= 3_600_000;
    tracking.says('Online');
    expect(beats(tracking)).toHaveLength(2);
  });
});

describe('what is stored', () => {
  it('is nothing at all while nothing changes', () => {
    const tracking = new Tracking().says('Online', 'Online');
    const said = [1, 2, 3, 4].flatMap((at) => tracking.answer([told('Online', { eventId: `e${at}` })]));
    expect(said).toEqual([]);
  });

  it('is the transition, the count and the replica together', () => {
    const tracking = new Tracking().says('Online', 'Online');
    const said = tracking.answer([told('Down')]);
    const tables = said.flatMap((output) => (output.kind === 'change' ? [output.change.table] : []));
    expect(tables).toEqual(['transitions', 'tracker_counts', 'tracker_replicas']);
  });

  it('is a change of the process too, which is no transition', () => {
    const tracking = new Tracking().says('Online', 'Online');
    const said = tracking.answer([told('Online', { process: 'Stopped' })]);
    expect(said.map(({ kind }) => kind)).toEqual(['change']);
    expect(tracking.view().process).toBe('Stopped');
  });
});

describe('what is counted', () => {
  it('is how long it was observed, and online of that', () => {
    const tracking = new Tracking()
      .says('Online', 'Online', 'Down', 'Down', 'Online')
      .unable(5)
      .says('Online', 'Online');
    expect(tracking.shown('graphdb_service_observed_seconds_total', replica)).toBe(25);
    expect(tracking.shown('graphdb_service_online_seconds_total', replica)).toBe(15);
  });

  it('is no time in which the process was asleep', () => {
    const tracking = new Tracking().says('Online');
    tracking.pass(3_600_000).says('Online');
    expect(tracking.shown('graphdb_service_observed_seconds_total', replica)).toBe(15);
  });
});
