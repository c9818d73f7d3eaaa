import { expect, it } from 'vitest';
import type { InjectedFault, LeaseChange } from '../../../../campaigns/failover/evidence.ts';
import { failoversOf, movesOf } from '../../../../campaigns/failover/oracle/moves.ts';

function change(at: number, owner: string | undefined, replica: number): LeaseChange {
  return { at, cluster: 'c1', replica, owner, expiresAt: at + 10_000 };
}

function fault(name: InjectedFault['name'], replica: number, at: number, until: number): InjectedFault {
  return { name, moment: 'time', replica, at, until, isOverlapped: false, gaps: {} };
}

const kill = fault('kill', 0, 5000, 16_000);
const end = fault('terminate', 1, 30_000, 40_000);
const leases = [
  change(0, 'a', 0),
  change(4000, 'a', 0),
  change(14_100, 'b', 1),
  change(30_100, undefined, 1),
  change(30_400, 'c', 2),
  change(60_000, undefined, 2),
  change(60_500, 'd', 1),
  change(61_000, 'd', 1),
];

it('lease moves › separates takeovers, handovers at an end and moves for balance, with the faults that caused them', () => {
  const evidence = { lease: 10_000, leases, faults: [kill, end] };
  const moves = movesOf(evidence);
  expect(moves.map(({ at, kind, fault: cause }) => [at, kind, cause])).toEqual([
    [14_100, 'takeover', kill],
    [30_400, 'handover', end],
    [60_500, 'balance', undefined],
  ]);
  expect(failoversOf(evidence)).toEqual(moves.slice(0, 2));
});

it('lease moves › counts a takeover by a new process of the same replica, and no return of a lease to its process', () => {
  const again = [change(0, 'a', 0), change(14_000, 'a', 0), change(30_000, 'b', 0)];
  expect(movesOf({ lease: 10_000, leases: again, faults: [] })).toMatchObject([{ at: 30_000, kind: 'takeover' }]);
});
