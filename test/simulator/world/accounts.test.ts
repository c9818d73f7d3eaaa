import { expect, it } from 'vitest';
import { simulatedAccounts } from '../../../src/simulator/world/accounts.ts';
import { noon, worldOf } from '../test-world.ts';

it('simulated accounts › one user is superuser, and logins rarely fail', () => {
  const { users } = simulatedAccounts(undefined);
  expect(users.filter(({ isSuperuser }) => isSuperuser).map(({ name }) => name)).toEqual(['admin']);
  expect(users.map(({ failedAttempts }) => failedAttempts)).toEqual([0, 1, 0, 0, 0]);
});

it('an intruder fails to log in once a second, and then becomes superuser and gains a privilege', () => {
  const { users, groups } = simulatedAccounts(30_000);
  expect(users.filter(({ isSuperuser }) => isSuperuser)).toHaveLength(2);
  expect(users[1]?.failedAttempts).toBe(31);
  expect(simulatedAccounts(900_000).users[1]?.failedAttempts).toBe(61);
  expect(groups[0]?.everywhere).toEqual(['DROP_GRAPH']);
});

it('simulated accounts › follow the scenario', () => {
  const world = worldOf({ scenario: 'new_superuser' });
  const superusers = (seconds: number): number => {
    world.advance(noon + seconds * 1000);
    return world.accounts().users.filter(({ isSuperuser }) => isSuperuser).length;
  };
  expect([superusers(10), superusers(40), superusers(640)]).toEqual([1, 2, 1]);
});
