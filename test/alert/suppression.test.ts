import { describe, expect, it } from 'vitest';
import { InhibitionIndex } from '../../src/alert/suppression.ts';
import { firingIncident } from './incident-fixture.ts';

const replica = { service_name: 'GPE', partition: '1', replica: '2' };
const away = firingIncident('service_not_online', replica);
const partition = firingIncident('partition_without_online_replica', { service_name: 'GPE', partition: '1' });
const flapping = firingIncident('service_flapping', replica);
const unreachable = firingIncident('node_unreachable', { node: 'm1' });

describe('an alert is inhibited by', () => {
  it.each([
    ['the partition without a replica', away, partition],
    ['the flapping of the same replica', away, flapping],
    ['the node that is not even listed', firingIncident('guard_blind', { node: 'm1' }), unreachable],
    [
      'the cluster of which no node answers',
      firingIncident('collector_blind', { node: '', collector: 'services' }),
      firingIncident('cluster_down', {}),
    ],
    ['the unreachable node', firingIncident('disk_filling', { node: 'm1', mount_point: '/' }), unreachable],
  ])('%s', (_, incident, by) => {
    expect(new InhibitionIndex([incident, by]).inhibitorOf(incident)).toBe(by.identityKey);
  });
});

describe('an alert is not inhibited by', () => {
  it.each([
    ['nothing', away, []],
    [
      'another partition',
      away,
      [firingIncident('partition_without_online_replica', { service_name: 'GPE', partition: '2' })],
    ],
    ['another replica', away, [firingIncident('service_flapping', { ...replica, replica: '1' })]],
    ['another cluster', away, [{ ...partition, cluster: 'test' }]],
    ['one that is pending', away, [{ ...partition, phase: 'pending' as const }]],
    ['a node, where it is about something else', firingIncident('license_expiring', {}), [unreachable]],
    ['its node, where we did it', firingIncident('query_aborted', { node: 'm1' }), [unreachable]],
    ['its node, where we may not have done it', firingIncident('abort_unconfirmed', { node: 'm1' }), [unreachable]],
    ['itself', unreachable, [unreachable]],
    ['the partition, where it is of another rule', firingIncident('service_readonly', replica), [partition]],
  ])('%s', (_, incident, others) => {
    expect(new InhibitionIndex([incident, ...others]).inhibitorOf(incident)).toBeUndefined();
  });
});

describe('the services of an unreachable node', () => {
  const minute = 60_000;
  const began = (after: number) => ({ ...away, startsAt: unreachable.startsAt + after });

  it.each([
    [-minute, true],
    [-minute - 1, false],
    [0, true],
    [5 * minute, true],
    [5 * minute + 1, false],
  ])('are those that went away at about the same time: %d ms later %s', (after, expected) => {
    expect(new InhibitionIndex([unreachable]).inhibitorOf(began(after)) !== undefined).toBe(expected);
  });

  it('can be those of any of several nodes', () => {
    const second = firingIncident('node_unreachable', { node: 'm2' }, { startsAt: unreachable.startsAt + 60 * minute });
    expect(new InhibitionIndex([unreachable, second]).inhibitorOf(began(61 * minute))).toBe(second.identityKey);
  });

  it('are not those of another cluster, and send their resolve', () => {
    expect(new InhibitionIndex([{ ...unreachable, cluster: 'test' }]).inhibitorOf(away)).toBeUndefined();
    expect(new InhibitionIndex([unreachable]).inhibitsResolve(away)).toBe(false);
  });
});

it('suppression › delays the resolve only while the service flaps', () => {
  expect(new InhibitionIndex([away, flapping]).inhibitsResolve(away)).toBe(true);
  expect(new InhibitionIndex([away, partition]).inhibitsResolve(away)).toBe(false);
  expect(new InhibitionIndex([away]).inhibitsResolve(away)).toBe(false);
});
