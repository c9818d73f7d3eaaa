import { describe, expect, it } from 'vitest';
import { availabilityReports } from '../../../src/app/api/service-routes.ts';
import type { ReplicaView, Transition } from '../../../src/model/transition.ts';

const window = { from: 0, to: 1_000_000 };

function idOf(replica: string) {
  return { cluster: 'prod', service: 'GPE', partition: '1', replica };
}

function view(replica: string, observed = 'Online', observedSince = 0): ReplicaView {
  const hard = { confirmed: observed, confirmedSince: observedSince, flapping: false, process: '', disputed: false };
  return { ...idOf(replica), observed, observedSince, ...hard };
}

function turn(replica: string, at: number, [from, to]: readonly [string, string]): Transition {
  return { ...idOf(replica), at, from, to, process: '', eventId: '', eventNs: '', source: 'm1' };
}

describe('reports of availability', () => {
  it('are of each partition and of each of its replicas', () => {
    const turns = [turn('1', 100_000, ['Online', 'Down']), turn('1', 300_000, ['Down', 'Online'])];
    const reports = availabilityReports(turns, [view('1', 'Online', 300_000), view('2')], window);
    expect(reports).toEqual([
      {
        kind: 'partition',
        ...idOf(''),
        replica: null,
        observedSeconds: 1000,
        onlineSeconds: 1000,
        availability: 1,
        outages: 0,
        meanTimeToRecoverSeconds: null,
      },
      {
        kind: 'replica',
        ...idOf('1'),
        observedSeconds: 1000,
        onlineSeconds: 800,
        availability: 0.8,
        outages: 1,
        meanTimeToRecoverSeconds: 200,
      },
      {
        kind: 'replica',
        ...idOf('2'),
        observedSeconds: 1000,
        onlineSeconds: 1000,
        availability: 1,
        outages: 0,
        meanTimeToRecoverSeconds: null,
      },
    ]);
  });

  it('know of replicas that are there no longer', () => {
    const reports = availabilityReports([turn('9', 500_000, ['Online', ''])], [], window);
    expect(reports.map(({ replica, observedSeconds }) => [replica, observedSeconds])).toEqual([
      [null, 500],
      ['9', 500],
    ]);
  });

  it('have no share where nothing was observed', () => {
    const reports = availabilityReports([], [view('1', 'unobserved')], window);
    expect(reports.map(({ availability }) => availability)).toEqual([null, null]);
  });

  it('are none without replicas', () => {
    expect(availabilityReports([], [], window)).toEqual([]);
  });
});
