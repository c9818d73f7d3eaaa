import { describe, expect, it } from 'vitest';
import { Explanations } from '../../src/alert/inhibition.ts';
import { episodeAt } from './episode-of.ts';

const replica = { service_name: 'GPE', partition: '1', replica: '2' };
const away = episodeAt('service_not_online', replica);
const partition = episodeAt('partition_without_online_replica', { service_name: 'GPE', partition: '1' });
const flapping = episodeAt('service_flapping', replica);
const unreachable = episodeAt('node_unreachable', { node: 'm1' });

describe('an alert is explained by', () => {
  it.each([
    ['the partition without a replica', away, partition],
    ['the flapping of the same replica', away, flapping],
    ['the node that is not even listed', episodeAt('guard_blind', { node: 'm1' }), unreachable],
    ['the node that nobody reaches', episodeAt('disk_filling', { node: 'm1', mount_point: '/' }), unreachable],
  ])('%s', (_, episode, by) => {
    expect(new Explanations([episode, by]).of(episode)).toBe(by.place);
  });
});

describe('an alert is not explained by', () => {
  it.each([
    ['nothing', away, []],
    [
      'another partition',
      away,
      [episodeAt('partition_without_online_replica', { service_name: 'GPE', partition: '2' })],
    ],
    ['another replica', away, [episodeAt('service_flapping', { ...replica, replica: '1' })]],
    ['another cluster', away, [{ ...partition, cluster: 'test' }]],
    ['one that is pending', away, [{ ...partition, phase: 'pending' as const }]],
    ['a node, where it is about something else', episodeAt('license_expiring', {}), [unreachable]],
    ['its node, where we did it', episodeAt('query_aborted', { node: 'm1' }), [unreachable]],
    ['its node, where we may not have done it', episodeAt('abort_unconfirmed', { node: 'm1' }), [unreachable]],
    ['itself', unreachable, [unreachable]],
    ['the partition, where it is of another rule', episodeAt('service_readonly', replica), [partition]],
  ])('%s', (_, episode, others) => {
    expect(new Explanations([episode, ...others]).of(episode)).toBeUndefined();
  });
});

describe('the services of a node that nobody reaches', () => {
  const minute = 60_000;
  const began = (after: number) => ({ ...away, startsAt: unreachable.startsAt + after });

  it.each([
    [-minute, true],
    [-minute - 1, false],
    [0, true],
    [5 * minute, true],
    [5 * minute + 1, false],
  ])('are those that went away at about the same time: %d ms later %s', (after, expected) => {
    expect(new Explanations([unreachable]).of(began(after)) !== undefined).toBe(expected);
  });

  it('may be those of any of several nodes', () => {
    const second = episodeAt('node_unreachable', { node: 'm2' }, { startsAt: unreachable.startsAt + 60 * minute });
    expect(new Explanations([unreachable, second]).of(began(61 * minute))).toBe(second.place);
  });

  it('are none of another cluster, and their end is told', () => {
    expect(new Explanations([{ ...unreachable, cluster: 'test' }]).of(away)).toBeUndefined();
    expect(new Explanations([unreachable]).holdsEnd(away)).toBe(false);
  });
});

it('holds the end back only while it flaps', () => {
  expect(new Explanations([away, flapping]).holdsEnd(away)).toBe(true);
  expect(new Explanations([away, partition]).holdsEnd(away)).toBe(false);
  expect(new Explanations([away]).holdsEnd(away)).toBe(false);
});
