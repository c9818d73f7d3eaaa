import { expect, it } from 'vitest';
import type { AlertView } from '../../../../src/alert/alert-view.ts';
import { alertsInWords } from '../../../../src/app/api/landing/alerts.ts';
import { lines, wall } from './landing-fixtures.ts';

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
      'bad: critical: m1 does not answer, for 5m',
      'bad: critical: m1 does not answer, for 1s',
      'plain: info: GraphdbNodeUnreachable, for 1m',
    ],
  ],
] satisfies readonly (readonly [string, readonly AlertView[], readonly string[]])[])(
  'describes %s',
  (_, alerts, expected) => {
    expect(lines(alertsInWords(alerts, wall))).toEqual(expected);
  },
);

it('counts what is too much for a page', () => {
  const many = Array.from({ length: 25 }, (_, at) => ({ ...page, key: `k${at}`, startsAt: wall - at }));
  const reported = lines(alertsInWords(many, wall));
  expect(reported).toHaveLength(21);
  expect(reported.at(-1)).toBe('warning: 5 alerts more');
});

it('counts inhibited alerts at the alert that inhibits them', () => {
  const cause = { ...page, key: 'cause' };
  const effects = ['a', 'b'].map((key) => ({ ...page, key, inhibitedBy: 'cause' }));
  const [reported = '', ...others] = lines(alertsInWords([...effects, cause], wall));
  expect(reported).toContain(' (explains 2 alerts more)');
  expect(others).toEqual([]);
});

it('shows why no notification was sent', () => {
  const held = [
    { ...page, silencedBy: 's1' },
    { ...page, inhibitedBy: 'k9' },
    { ...page, maintenance: 'sunday' },
  ];
  const reported = alertsInWords(held, wall);
  expect(reported.map(({ tone }) => tone)).toEqual(['plain', 'plain', 'plain']);
  expect(reported.map((one) => one.hint)).toEqual([
    'Silenced (s1)',
    'Inhibited by another alert',
    'Suppressed by the maintenance window sunday',
  ]);
});

it('names the author of an acknowledgement', () => {
  const [statement] = alertsInWords([{ ...page, acknowledgement: { author: 'ada', comment: '', at: wall } }], wall);
  expect(statement).toMatchObject({ tone: 'bad', hint: 'Acknowledged by ada' });
});

it('marks alerts that were sent to no receiver', () => {
  const expected = { tone: 'bad', hint: 'Sent to no receiver: its route has none, or none is configured' };
  expect(alertsInWords([{ ...page, unrouted: true }], wall)).toMatchObject([expected]);
  expect(alertsInWords([{ ...page, unrouted: true, silencedBy: 's1' }], wall)).toMatchObject([
    { hint: 'Silenced (s1)' },
  ]);
});
