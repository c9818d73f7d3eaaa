import { describe, expect, it } from 'vitest';
import { heartbeatTargets, targetsOf, withNamed } from '../../src/alert/routing.ts';
import { everything } from './alerting-bed.ts';

const receivers = ['a', 'b', 'c'].map((name) => ({ name, heartbeat: name === 'c' }));
const labels = { severity: 'critical', cluster_name: 'prod' };

function names(routes: Parameters<typeof targetsOf>[1], of: Readonly<Record<string, string>> = labels) {
  return targetsOf(of, routes, receivers).map(({ receiver }) => receiver);
}

describe('the receivers of an alert', () => {
  it('are nobody without a route', () => {
    expect(names([])).toEqual([]);
    expect(names([{ ...everything, match: { severity: ['info'] }, receivers: ['a'] }])).toEqual([]);
  });

  it('are those of the first route that matches', () => {
    const routes = [
      { ...everything, match: { severity: ['critical'] }, receivers: ['a', 'b'] },
      { ...everything, receivers: ['c'] },
    ];
    expect(names(routes)).toEqual(['a', 'b']);
    expect(names(routes, { severity: 'info' })).toEqual(['c']);
  });

  it('are each named once, as the first route has it', () => {
    const routes = [
      { ...everything, receivers: ['a'], groupWait: 5, goesOn: true },
      { ...everything, receivers: ['a', 'b'], groupWait: 9 },
    ];
    expect(targetsOf(labels, routes, receivers).map(({ receiver, groupWait }) => [receiver, groupWait])).toEqual([
      ['a', 5],
      ['b', 9],
    ]);
  });

  it('are told in groups of the labels that the route names', () => {
    const routes = [{ ...everything, groupBy: ['cluster_name', 'node'], receivers: ['a'] }];
    expect(targetsOf(labels, routes, receivers)[0]?.group).toEqual({ cluster_name: 'prod', node: '' });
  });

  it('never are those that the alert is about', () => {
    const rest = [receivers, 'a'] as const;
    const routes = [{ ...everything, receivers: ['a', 'b'], fallback: 'a' }];
    expect(targetsOf(labels, routes, ...rest)).toEqual([{ receiver: 'b', group: {}, groupWait: 0, repeat: 0 }]);
    expect(targetsOf(labels, [{ ...everything, receivers: ['a'] }], ...rest).map(({ receiver }) => receiver)).toEqual([
      'b',
      'c',
    ]);
    expect(targetsOf(labels, [{ ...everything, receivers: ['b'], fallback: 'c' }], ...rest)[0]?.fallback).toBe('c');
  });

  it('may have a label of that name for other reasons', () => {
    const routes = [{ ...everything, receivers: ['a'] }];
    expect(targetsOf({ ...labels, receiver: 'a' }, routes, receivers)).toMatchObject([{ receiver: 'a' }]);
  });
});

it('sends the heartbeat to those who asked for it', () => {
  expect(heartbeatTargets(receivers)).toEqual([{ receiver: 'c', group: {}, groupWait: 0, repeat: 60_000 }]);
});

describe('receivers that an alert names', () => {
  const target = { receiver: 'a', group: { cluster_name: 'prod' }, groupWait: 30_000, repeat: 60_000, fallback: 'b' };

  it('are told beside those of the routes, at once and alone', () => {
    expect(withNamed([target], ['b'], receivers)).toEqual([
      target,
      { receiver: 'b', group: {}, groupWait: 0, repeat: 0 },
    ]);
  });

  it('do not wait for company where a route would have them wait, and keep all else of it', () => {
    expect(withNamed([target], ['a'], receivers)).toEqual([{ ...target, groupWait: 0 }]);
  });

  it('are told once, and only where there are such', () => {
    expect(withNamed([], ['b', 'b', 'gone'], receivers).map(({ receiver }) => receiver)).toEqual(['b']);
  });

  it('may be nobody', () => {
    expect(withNamed([target], [], receivers)).toEqual([target]);
  });
});
