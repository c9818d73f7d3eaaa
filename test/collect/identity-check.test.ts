import { describe, expect, it } from 'vitest';
import { IdentityCheck } from '../../src/collect/identity-check.ts';
import { gauge, sample } from '../../src/metric/metric.ts';

const gpe = { service_name: 'GPE', partition: '1', replica: '1' };

function check(): IdentityCheck {
  const one = new IdentityCheck((number) => Number(number) <= 10);
  one.startAnswer();
  return one;
}

describe('identity check', () => {
  it.each([
    [{ ...gpe, partition: '-1' }, 'partition'],
    [{ ...gpe, partition: '1.5' }, 'partition'],
    [{ ...gpe, replica: '11' }, 'replica'],
    [{ ...gpe, replica: 'x' }, 'replica'],
    [{ ...gpe, service_name: 'G\u0000E' }, 'service'],
    [{ host_id: 'm 1' }, 'host'],
    [{ method: 'get', path: '/echo' }, 'endpoint'],
    [{ method: 'GET', path: 'echo' }, 'endpoint'],
    [gpe, undefined],
    [{ service_name: 'EXE', partition: '10', replica: '' }, undefined],
    [{ host_id: 'm1.example.org' }, undefined],
    [{ method: 'GET', path: '/query/fraud/ring_scan' }, undefined],
  ] as const)('%j: %s', (labels, reason) => {
    const one = check();
    expect(one.accepts(labels)).toBe(reason === undefined);
    expect(one.problem).toBe(reason ?? '');
    expect([...one.counts]).toEqual(reason === undefined ? [] : [[reason, 1]]);
  });

  it('counts an implausible identity once per answer', () => {
    const one = check();
    for (const status of ['Online', 'Down']) one.accepts({ ...gpe, replica: '-1', status });
    expect(one.counts.get('replica')).toBe(1);
  });

  it('accepts the identities of the first answer that has any, and later ones from their second answer on', () => {
    const one = check();
    one.startAnswer();
    expect(one.accepts(gpe)).toBe(true);
    one.startAnswer();
    const added = { ...gpe, replica: '2' };
    expect([one.accepts(gpe), one.accepts(added), one.accepts(added)]).toEqual([true, false, false]);
    one.startAnswer();
    expect([one.accepts(added), one.accepts(added)]).toEqual([true, true]);
    one.startAnswer();
    one.startAnswer();
    expect([one.accepts(added), one.counts.get('unconfirmed')]).toEqual([true, undefined]);
  });

  it('counts an identity that only one answer had', () => {
    const one = check();
    one.accepts(gpe);
    one.startAnswer();
    one.accepts({ ...gpe, replica: '2' });
    one.startAnswer();
    expect(one.counts.get('unconfirmed')).toBeUndefined();
    one.startAnswer();
    expect(one.counts.get('unconfirmed')).toBe(1);
  });

  it('confirms a new identity in partial answers, which do not refute those that they lack', () => {
    const one = check();
    one.accepts(gpe);
    const [added, other] = [
      { ...gpe, replica: '2' },
      { ...gpe, replica: '3' },
    ];
    one.startAnswer({ isComplete: false });
    expect(one.accepts(added)).toBe(false);
    one.startAnswer({ isComplete: false });
    expect([one.accepts(added), one.accepts(other)]).toEqual([true, false]);
    one.startAnswer({ isComplete: false });
    one.startAnswer();
    expect([one.accepts(other), one.counts.get('unconfirmed')]).toEqual([true, undefined]);
  });

  it('forgets an identity that a complete answer lacks after partial ones', () => {
    const one = check();
    one.accepts(gpe);
    one.startAnswer({ isComplete: false });
    one.accepts({ ...gpe, replica: '2' });
    one.startAnswer();
    one.startAnswer();
    expect([one.accepts({ ...gpe, replica: '2' }), one.counts.get('unconfirmed')]).toEqual([false, 1]);
  });

  it('does not accept a new empty identity', () => {
    const one = check();
    one.accepts({ graph: 'fraud' });
    one.startAnswer();
    expect([one.accepts({ graph: 'fraud' }), one.accepts({ graph: '' })]).toEqual([true, false]);
  });

  it('ignores labels that do not identify a subject', () => {
    const one = check();
    expect(one.accepts({ outcome: 'timeout' })).toBe(true);
  });

  it('passes the samples of the same identities in any order, and samples with other labels from their second answer on', () => {
    const level = gauge({ name: 'graphdb_level', help: 'Level.', labels: ['host_id'], source: 'test' });
    const samplesOf = (hosts: readonly string[]) => hosts.map((host_id) => sample(level, { host_id }, 1));
    const one = check();
    const passed = (...hosts: readonly string[]): readonly string[] => {
      one.startAnswer();
      return [...one.pass(samplesOf(hosts))].map(({ labels }) => labels.host_id ?? '');
    };
    expect(passed('m1', 'm2', 'm3')).toEqual(['m1', 'm2', 'm3']);
    expect(passed('m3', 'm1')).toEqual(['m3', 'm1']);
    expect(passed('m4', 'm3', 'm1', 'm2')).toEqual(['m3', 'm1', 'm2']);
    expect(passed('m4', 'm3', 'm1', 'm 5')).toEqual(['m4', 'm3', 'm1']);
    expect([
      ...one.pass([sample({ ...level, labels: ['host_id', 'path'] }, { host_id: 'm4', path: '/x' }, 1)]),
    ]).toEqual([]);
    expect(one.counts.get('host')).toBe(1);
  });
});
