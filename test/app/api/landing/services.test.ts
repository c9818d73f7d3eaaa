import { describe, expect, it } from 'vitest';
import { servicesInWords } from '../../../../src/app/api/landing/services.ts';
import { services } from '../../../../src/collect/services.ts';
import type { ServiceState } from '../../../../src/model/service.ts';
import type { ReplicaView } from '../../../../src/model/transition.ts';
import { latest, lines } from './landing-fixtures.ts';

function state(name: string, status: string, process = 'Running'): ServiceState {
  const [service = '', partition = '', replica = ''] = name.split(' ');
  return { service, partition, replica, status, process, eventId: '', timestampNs: '1' };
}

function said(...states: readonly ServiceState[]): readonly string[] {
  return lines(servicesInWords(latest(services, { '': states })));
}

const now = 1_790_000_000_000;

function view(name: string, observed: string, lasted: number): ReplicaView {
  const [service = '', partition = '', replica = ''] = name.split(' ');
  const since = now - lasted;
  const states = { observed, observedSince: since, confirmed: observed, confirmedSince: since };
  return { cluster: 'prod', service, partition, replica, ...states, flapping: false, process: '', disputed: false };
}

describe('services in words', () => {
  it('are only counted if all are Online', () => {
    expect(said(state('GPE 1 1', 'Online'), state('ADMIN', 'Online'))).toEqual(['good: 2 instances, all Online']);
  });

  it('are named with what they are instead, the worst first', () => {
    expect(
      said(
        state('GPE 1 1', 'Online'),
        state('GPE 1 2', 'Warmup'),
        state('GSE 2 1', 'Down'),
        state('GSE 2 2', 'Down'),
        state('GSQL  3', 'Readonly'),
      ),
    ).toEqual([
      'plain: 5 instances: 1 Online',
      'bad: GSE 2/1 and GSE 2/2 Down',
      'warning: GSQL 3 Readonly',
      'warning: GPE 1/2 Warmup',
    ]);
  });

  it('have the color of their status', () => {
    const states = ['Online', 'Readonly', 'Starting', 'Dancing'].map((status, at) => state(`GPE 1 ${at}`, status));
    const colors = servicesInWords(latest(services, { '': states })).map(({ color }) => color);
    expect(colors).toEqual([undefined, 'blue', 'orange', 'grey']);
  });

  it('have no status where the server names none, and a strange one is no good', () => {
    expect(said(state('A', 'StatusUnchanged'), state('B', 'Dancing'))).toEqual([
      'plain: 2 instances: 0 Online',
      'plain: A without a status',
      'bad: B unrecognised',
    ]);
  });

  it('are not believed to be Online without a process', () => {
    expect(said(state('A', 'Online', 'Stopped'), state('B', 'Down', 'Stopped'))).toEqual([
      'plain: 2 instances: 1 Online',
      'bad: B Down',
      'bad: A Online without a running process',
    ]);
  });

  it('are not all listed when a host is gone', () => {
    const [, bad] = said(...Array.from({ length: 30 }, (_, at) => state(`GPE ${at} 1`, 'Down')));
    expect(bad).toContain('GPE 11/1 and 18 more Down');
  });

  it('are so for as long as the tracker knows', () => {
    const states = [state('GPE 1 1', 'Down'), state('GPE 1 2', 'Down'), state('GSE 1 1', 'Warmup')];
    const tracked = [view('GPE 1 1', 'Down', 90_000), view('GPE 1 2', 'Down', 30_000), view('GSE 1 1', 'Warmup', 5000)];
    expect(lines(servicesInWords(latest(services, { '': states }), tracked, now))).toEqual([
      'plain: 3 instances: 0 Online',
      'bad: GPE 1/1 and GPE 1/2 Down, the first for 1m 30s',
      'warning: GSE 1/1 Warmup for 5s',
    ]);
  });

  it('may be missing, and may flap', () => {
    const tracked = [view('GPE 1 1', 'absent', 60_000), { ...view('GSE 1 1', 'Online', 1000), flapping: true }];
    expect(lines(servicesInWords(latest(services, { '': [state('GSE 1 1', 'Online')] }), tracked, now))).toEqual([
      'good: 1 instance, all Online',
      "bad: GPE 1/1 missing from the server's answer for 1m",
      'warning: GSE 1/1 flapping',
    ]);
  });

  it('are missed', () => {
    expect(said()).toEqual(['warning: The server names no service']);
    expect(lines(servicesInWords(latest(services, {}, { silent: [''] })))).toEqual([
      "plain: Not known: reading 'services' fails",
    ]);
  });
});
