import { describe, expect, it } from 'vitest';
import { serviceState, statusCode, TrackingHarness, trackingStart } from './tracking-harness.ts';

const replica = { service_name: 'GPE', partition: '1', replica: '1' };

describe('observed status', () => {
  it('begins with the first poll result and is confirmed by the second', () => {
    const tracking = new TrackingHarness().pollStatuses('Online');
    expect(tracking.view()).toMatchObject({ observed: 'Online', confirmed: 'unobserved' });
    expect(tracking.observedTransitions).toEqual([' > Online']);
    tracking.pollStatuses('Online');
    expect(tracking.view()).toMatchObject({
      observed: 'Online',
      confirmed: 'Online',
      confirmedSince: trackingStart + 5000,
    });
    expect(tracking.confirmedTransitions).toEqual(['unobserved > Online']);
    expect(tracking.observedTransitions).toHaveLength(1);
  });

  it('reports all fields of a transition', () => {
    const tracking = new TrackingHarness().pollStatuses('Online', 'Online');
    const event = { eventId: 'e7', timestampNs: '1790000000000000007', process: 'Stopped' };
    tracking.pollStates([serviceState('Down', event)], 'm2');
    expect(tracking.transitions.at(-1)).toEqual({
      cluster: 'prod',
      service: 'GPE',
      partition: '1',
      replica: '1',
      at: trackingStart + 15_000,
      from: 'Online',
      to: 'Down',
      process: 'Stopped',
      eventId: 'e7',
      eventNs: '1790000000000000007',
      duration: 10_000,
      source: 'm2',
    });
  });

  it('is not confirmed by a single observation', () => {
    const tracking = new TrackingHarness().pollStatuses('Online', 'Online', 'Down', 'Online', 'Online');
    expect(tracking.confirmedTransitions).toEqual(['unobserved > Online']);
    expect(tracking.observedTransitions).toEqual([' > Online', 'Online > Down', 'Down > Online']);
    expect(tracking.view()).toMatchObject({ confirmed: 'Online', confirmedSince: trackingStart + 5000 });
  });

  it('is confirmed at once if one observation is enough', () => {
    const tracking = new TrackingHarness({ confirm: 1 }).pollStatuses('Online', 'Down');
    expect(tracking.confirmedTransitions).toEqual(['unobserved > Online', 'Online > Down']);
  });

  it('is confirmed after confirmFor without another observation', () => {
    const tracking = new TrackingHarness({ confirm: 10, confirmFor: 8000 }).pollStatuses(
      'Online',
      'Online',
      'Online',
      'Down',
    );
    expect(tracking.view().confirmed).toBe('Online');
    tracking.pass(7999).step({ kind: 'tick' });
    expect(tracking.view().confirmed).toBe('Online');
    tracking.pass(1).step({ kind: 'tick' });
    expect(tracking.view()).toMatchObject({ confirmed: 'Down', confirmedSince: trackingStart + 20_000 });
  });

  it('keeps its order if the wall clock steps back', () => {
    const tracking = new TrackingHarness().pollStatuses('Online', 'Online');
    tracking.wall -= 3_600_000;
    tracking.pollStatuses('Down', 'Online');
    const times = tracking.transitions.map(({ at }) => at);
    expect(times).toEqual([trackingStart + 5000, trackingStart + 15_000, trackingStart + 20_000]);
    expect(tracking.transitions.at(-1)?.duration).toBe(5000);
  });
});

describe('an undocumented status or code', () => {
  it('is reported verbatim, and counted as unrecognised', () => {
    const tracking = new TrackingHarness().pollStatuses('Online', 'Hibernating', 'Hibernating');
    expect(tracking.observedTransitions).toEqual([' > Online', 'Online > Hibernating']);
    expect(tracking.view()).toMatchObject({ observed: 'Hibernating', confirmed: 'Hibernating' });
    tracking.pass(60_000);
    expect(tracking.shown('graphdb_service_transitions_total', { ...replica, to: 'unrecognised' })).toBe(1);
  });

  it('has a transition to another undocumented one', () => {
    const tracking = new TrackingHarness().pollStatuses('Hibernating', 'Dreaming');
    expect(tracking.observedTransitions).toEqual([' > Hibernating', 'Hibernating > Dreaming']);
    expect(tracking.shown('graphdb_service_transitions_total', { ...replica, to: 'unrecognised' })).toBe(2);
  });

  it('agrees with an unknown code, and contradicts a known one', () => {
    const tracking = new TrackingHarness().pollStatuses('Hibernating');
    tracking.step({ kind: 'codes', codes: [statusCode(42)], interval: 15_000 });
    tracking.pass(600_000).step({ kind: 'codes', codes: [statusCode(42)], interval: 15_000 });
    expect(tracking.view().disputed).toBe(false);
    tracking.step({ kind: 'codes', codes: [statusCode(6)], interval: 15_000 });
    tracking.pass(600_000).step({ kind: 'codes', codes: [statusCode(6)], interval: 15_000 });
    expect(tracking.view().disputed).toBe(true);
  });

  it('may be a name of an object property', () => {
    const tracking = new TrackingHarness().pollStatuses('constructor', '__proto__');
    expect(tracking.observedTransitions).toEqual([' > constructor', 'constructor > __proto__']);
    expect(tracking.shown('graphdb_service_transitions_total', { ...replica, to: 'unrecognised' })).toBe(2);
  });
});

describe('a service without partition or replica', () => {
  it('is separate from others with the same name', () => {
    const tracking = new TrackingHarness();
    const etcd = serviceState('Online', { service: 'ETCD', partition: '', replica: '' });
    const exe = serviceState('Down', { service: 'EXE', partition: '1', replica: '' });
    const other = serviceState('Warmup', { service: 'EXE', partition: '', replica: '1' });
    tracking.pollStates([etcd, exe, other]);
    expect(
      tracking.views.map(({ service, partition, replica: own, observed }) => [service, partition, own, observed]),
    ).toEqual([
      ['ETCD', '', '', 'Online'],
      ['EXE', '1', '', 'Down'],
      ['EXE', '', '1', 'Warmup'],
    ]);
    expect(tracking.shown('graphdb_service_flapping', { service_name: 'ETCD', partition: '', replica: '' })).toBe(0);
  });

  it('has a separate row with empty labels', () => {
    const tracking = new TrackingHarness();
    tracking.pollStates([serviceState('Online', { service: 'ETCD', partition: '', replica: '' })]);
    const put = tracking.outputs.flatMap((output) => (output.kind === 'change' ? [output.change] : []));
    expect(put).toContainEqual({
      table: 'tracker_replicas',
      put: expect.objectContaining({ cluster: 'prod', service: 'ETCD', partition: '', replica: '' }),
    });
  });
});

describe('StatusUnchanged', () => {
  it('keeps the last status for three polls, then the replica is unobserved', () => {
    const tracking = new TrackingHarness().pollStatuses(
      'Online',
      'Online',
      'StatusUnchanged',
      'StatusUnchanged',
      'StatusUnchanged',
    );
    expect(tracking.view().observed).toBe('Online');
    tracking.pollStatuses('StatusUnchanged');
    expect(tracking.view()).toMatchObject({ observed: 'unobserved', confirmed: 'Online' });
    tracking.pollStatuses('StatusUnchanged', 'Online');
    expect(tracking.observedTransitions).toEqual([' > Online', 'Online > unobserved', 'unobserved > Online']);
  });

  it('confirms the current status', () => {
    const tracking = new TrackingHarness().pollStatuses('Online', 'Online', 'Down', 'StatusUnchanged');
    expect(tracking.view().confirmed).toBe('Down');
  });

  it('ignores an unknown replica', () => {
    const tracking = new TrackingHarness().pollStatuses('StatusUnchanged');
    expect(tracking.view()).toMatchObject({ observed: 'unobserved', confirmed: 'unobserved' });
    expect(tracking.observedTransitions).toEqual([' > unobserved']);
  });

  it('is not an observation after a gap: the status may be unchanged since then', () => {
    const tracking = new TrackingHarness().pollStatuses('Online', 'Online').failPoll(2).pollStatuses('StatusUnchanged');
    expect(tracking.view().observed).toBe('unobserved');
  });

  it('restarts its count after every other status', () => {
    const three = ['StatusUnchanged', 'StatusUnchanged', 'StatusUnchanged'];
    const tracking = new TrackingHarness().pollStatuses('Online', ...three, 'Online', ...three);
    expect(tracking.observedTransitions).toEqual([' > Online']);
  });
});

describe('failed polls', () => {
  it('end the observed status and keep the confirmed one', () => {
    const tracking = new TrackingHarness().pollStatuses('Down', 'Down').failPoll(3);
    expect(tracking.view()).toMatchObject({
      observed: 'unobserved',
      confirmed: 'Down',
      confirmedSince: trackingStart + 5000,
    });
    tracking.pollStatuses('Down');
    expect(tracking.observedTransitions).toEqual([' > Down', 'Down > unobserved', 'unobserved > Down']);
    expect(tracking.confirmedTransitions).toEqual(['unobserved > Down']);
    expect(tracking.transitions.at(-1)?.duration).toBe(15_000);
  });

  it('hide the status at once without a transition', () => {
    const tracking = new TrackingHarness().pollStatuses('Online', 'Online').failPoll();
    expect(tracking.view()).toMatchObject({
      observed: 'unobserved',
      observedSince: trackingStart + 15_000,
      confirmed: 'Online',
    });
    expect(tracking.shown('graphdb_service_state_since_timestamp_seconds')).toBeUndefined();
    tracking.pollStatuses('Online');
    expect(tracking.view()).toMatchObject({ observed: 'Online', observedSince: trackingStart + 5000 });
    expect(tracking.observedTransitions).toEqual([' > Online']);
  });

  it('add a transition at the time of the first failure', () => {
    const tracking = new TrackingHarness().pollStatuses('Online', 'Online').failPoll(5);
    expect(tracking.observedTransitions).toEqual([' > Online', 'Online > unobserved']);
    expect(tracking.transitions.at(-1)).toMatchObject({ at: trackingStart + 15_000, duration: 10_000 });
  });

  it('do not fill the timeline if every other poll fails', () => {
    const tracking = new TrackingHarness();
    for (let time = 0; time < 50; time += 1) tracking.pollStatuses('Online').failPoll();
    expect(tracking.transitions).toHaveLength(1);
  });

  it('count as no observed time, even if they were short', () => {
    const tracking = new TrackingHarness().pollStatuses('Online', 'Online').failPoll().pollStatuses('Online', 'Online');
    expect(tracking.shown('graphdb_service_observed_seconds_total')).toBe(10);
  });

  it('between two equal observations do not reset the confirmation', () => {
    const tracking = new TrackingHarness().pollStatuses('Online', 'Online', 'Down').failPoll().pollStatuses('Down');
    expect(tracking.view().confirmed).toBe('Down');
  });

  it('are assumed after three intervals without a poll result', () => {
    const tracking = new TrackingHarness().pollStatuses('Online', 'Online');
    tracking.pass(15_000).step({ kind: 'tick' });
    expect(tracking.view().observed).toBe('Online');
    tracking.pass(1).step({ kind: 'tick' });
    expect(tracking.view().observed).toBe('unobserved');
    expect(tracking.pass(5000).step({ kind: 'tick' })).toEqual([]);
  });

  it('before the first success leave the state unknown', () => {
    const tracking = new TrackingHarness().failPoll(5);
    expect(tracking.outputs).toEqual([]);
    expect(tracking.views).toEqual([]);
  });
});

function cycles(tracking: TrackingHarness): readonly number[] {
  return tracking.outputs.flatMap((output) =>
    output.kind === 'change' && 'put' in output.change && output.change.table === 'tracker_clusters'
      ? [Number(output.change.put.observed_until)]
      : [],
  );
}

describe('the heartbeat', () => {
  it('is stored with the first successful reply and every 30 s', () => {
    const tracking = new TrackingHarness().pollStatuses(...Array.from({ length: 14 }, () => 'Online'));
    expect(cycles(tracking)).toEqual([trackingStart + 5000, trackingStart + 35_000, trackingStart + 65_000]);
  });

  it('is not stored while all polls fail', () => {
    const tracking = new TrackingHarness().pollStatuses('Online').failPoll(100);
    expect(cycles(tracking)).toHaveLength(1);
  });

  it('continues when the wall clock was set back', () => {
    const tracking = new TrackingHarness().pollStatuses('Online');
    tracking.wall -= 3_600_000;
    tracking.pollStatuses('Online');
    expect(cycles(tracking)).toHaveLength(2);
  });
});

describe('stored rows', () => {
  it('are empty without a change', () => {
    const tracking = new TrackingHarness().pollStatuses('Online', 'Online');
    const said = [1, 2, 3, 4].flatMap((at) => tracking.pollStates([serviceState('Online', { eventId: `e${at}` })]));
    expect(said).toEqual([]);
  });

  it('include the transition, the count and the replica in one batch', () => {
    const tracking = new TrackingHarness().pollStatuses('Online', 'Online');
    const said = tracking.pollStates([serviceState('Down')]);
    const tables = said.flatMap((output) => (output.kind === 'change' ? [output.change.table] : []));
    expect(tables).toEqual(['transitions', 'tracker_counts', 'tracker_replicas']);
  });

  it('include a change of the process, which is not a transition', () => {
    const tracking = new TrackingHarness().pollStatuses('Online', 'Online');
    const said = tracking.pollStates([serviceState('Online', { process: 'Stopped' })]);
    expect(said.map(({ kind }) => kind)).toEqual(['change']);
    expect(tracking.view().process).toBe('Stopped');
  });
});
