import { expect, it } from 'vitest';
import type { AlertView } from '../../../src/alert/alert-view.ts';
import { alertsInWords } from '../../../src/app/landing/alerts.ts';
import { lines, wall } from './told.ts';

const page: AlertView = {
  key: 'k1',
  episode: 1,
  rule: 'node_unreachable',
  severity: 'critical',
  phase: 'firing',
  labels: { alertname: 'GraphdbNodeUnreachable', severity: 'critical', cluster_name: 'prod', node: 'm1' },
  annotations: { summary: 'm1 does not answer' },
  startsAt: wall - 300_000,
};
const hint: AlertView = { ...page, key: 'k2', severity: 'info', annotations: {}, startsAt: wall - 60_000 };

it.each([
  ['nothing', [], ['good: None fires']],
  [
    'what is not firing',
    [
      { ...page, phase: 'pending' },
      { ...page, phase: 'resolved' },
    ],
    ['good: None fires'],
  ],
  [
    'the gravest first, then the oldest',
    [hint, { ...page, key: 'k3', startsAt: wall - 1000 }, page],
    [
      'bad: critical: m1 does not answer, for 5 min',
      'bad: critical: m1 does not answer, for 1 s',
      'plain: info: GraphdbNodeUnreachable, for 1 min',
    ],
  ],
] satisfies readonly (readonly [string, readonly AlertView[], readonly string[]])[])(
  'tells of %s',
  (_, alerts, expected) => {
    expect(lines(alertsInWords(alerts, wall))).toEqual(expected);
  },
);

it('counts what is too much for a page', () => {
  const many = Array.from({ length: 25 }, (_, at) => ({ ...page, key: `k${at}`, startsAt: wall - at }));
  const told = lines(alertsInWords(many, wall));
  expect(told).toHaveLength(21);
  expect(told.at(-1)).toBe('warning: 5 alerts more');
});

it('counts what another alert explains beside that one', () => {
  const cause = { ...page, key: 'cause' };
  const effects = ['a', 'b'].map((key) => ({ ...page, key, inhibitedBy: 'cause' }));
  const [told = '', ...others] = lines(alertsInWords([...effects, cause], wall));
  expect(told).toContain(' (explains 2 alerts more)');
  expect(others).toEqual([]);
});

it('tells why nobody was told', () => {
  const held = [
    { ...page, silencedBy: 's1' },
    { ...page, inhibitedBy: 'k9' },
    { ...page, maintenance: 'sunday' },
  ];
  const told = alertsInWords(held, wall);
  expect(told.map(({ tone }) => tone)).toEqual(['plain', 'plain', 'plain']);
  expect(told.map((one) => one.hint)).toEqual([
    'Silenced (s1)',
    'Held back: another alert explains it',
    'Held back during the maintenance window sunday',
  ]);
});
