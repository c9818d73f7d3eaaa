import { describe, expect, it } from 'vitest';
import { heartbeatTargets, routeTargets, withNamedReceivers, withoutPagersForInfo } from '../../src/alert/routing.ts';
import { matchersOf } from '../support/matchers-of.ts';
import { catchAllRoute } from './alerting-testbed.ts';

const receivers = ['a', 'b', 'c'].map((name) => ({ name, heartbeat: name === 'c' }));
const labels = { severity: 'critical', cluster_name: 'prod' };

function names(routes: Parameters<typeof routeTargets>[1], of: Readonly<Record<string, string>> = labels) {
  return routeTargets(of, routes, receivers).map(({ receiver }) => receiver);
}

describe('the receivers of an alert', () => {
  it('are empty without a route', () => {
    expect(names([])).toEqual([]);
    expect(names([{ ...catchAllRoute, matchers: matchersOf('severity="info"'), receivers: ['a'] }])).toEqual([]);
  });

  it('are those of the first route that matches', () => {
    const routes = [
      { ...catchAllRoute, matchers: matchersOf('severity="critical"'), receivers: ['a', 'b'] },
      { ...catchAllRoute, receivers: ['c'] },
    ];
    expect(names(routes)).toEqual(['a', 'b']);
    expect(names(routes, { severity: 'info' })).toEqual(['c']);
  });

  it('are listed once, with the settings of the first route', () => {
    const routes = [
      { ...catchAllRoute, receivers: ['a'], groupWait: 5, continues: true },
      { ...catchAllRoute, receivers: ['a', 'b'], groupWait: 9 },
    ];
    expect(routeTargets(labels, routes, receivers).map(({ receiver, groupWait }) => [receiver, groupWait])).toEqual([
      ['a', 5],
      ['b', 9],
    ]);
  });

  it('are notified in groups by the labels of the route', () => {
    const routes = [{ ...catchAllRoute, groupBy: ['cluster_name', 'node'], receivers: ['a'] }];
    expect(routeTargets(labels, routes, receivers)[0]?.group).toEqual({ cluster_name: 'prod', node: '' });
  });

  it('exclude the receiver that the alert is about', () => {
    const rest = [receivers, 'a'] as const;
    const routes = [{ ...catchAllRoute, receivers: ['a', 'b'], fallback: 'a' }];
    expect(routeTargets(labels, routes, ...rest)).toEqual([
      { receiver: 'b', group: {}, groupWait: 0, groupInterval: 300_000, repeatInterval: 0 },
    ]);
    expect(
      routeTargets(labels, [{ ...catchAllRoute, receivers: ['a'] }], ...rest).map(({ receiver }) => receiver),
    ).toEqual(['b', 'c']);
    expect(routeTargets(labels, [{ ...catchAllRoute, receivers: ['b'], fallback: 'c' }], ...rest)[0]?.fallback).toBe(
      'c',
    );
  });

  it('include a receiver that only a label of another meaning names', () => {
    const routes = [{ ...catchAllRoute, receivers: ['a'] }];
    expect(routeTargets({ ...labels, receiver: 'a' }, routes, receivers)).toMatchObject([{ receiver: 'a' }]);
  });
});

it('routing › sends the heartbeat to receivers with `heartbeat: true`', () => {
  expect(heartbeatTargets(receivers)).toEqual([{ receiver: 'c', group: {}, groupWait: 0, repeatInterval: 60_000 }]);
});

describe('pagers', () => {
  const targets = ['a', 'b'].map((receiver) => ({ receiver, group: {}, groupWait: 0, repeatInterval: 0 }));
  const traits = [
    { name: 'a', heartbeat: false, isPager: true },
    { name: 'b', heartbeat: false },
  ] as const;

  it.each([
    ['info', ['b']],
    ['warning', ['a', 'b']],
    [undefined, ['a', 'b']],
  ])('get alerts with the severity %s: %j', (severity, expected) => {
    expect(withoutPagersForInfo(targets, severity, traits).map(({ receiver }) => receiver)).toEqual(expected);
  });
});

describe('receivers that an alert names', () => {
  const target = {
    receiver: 'a',
    group: { cluster_name: 'prod' },
    groupWait: 30_000,
    repeatInterval: 60_000,
    fallback: 'b',
  };

  it('are notified in addition to those of the routes, immediately and ungrouped', () => {
    expect(withNamedReceivers([target], ['b'], receivers)).toEqual([
      target,
      { receiver: 'b', group: {}, groupWait: 0, repeatInterval: 0 },
    ]);
  });

  it('ignore the group wait of a route, and keep its other settings', () => {
    expect(withNamedReceivers([target], ['a'], receivers)).toEqual([{ ...target, groupWait: 0 }]);
  });

  it('are notified once, and only if they are configured', () => {
    expect(withNamedReceivers([], ['b', 'b', 'gone'], receivers).map(({ receiver }) => receiver)).toEqual(['b']);
  });

  it('are optional', () => {
    expect(withNamedReceivers([target], [], receivers)).toEqual([target]);
  });
});
