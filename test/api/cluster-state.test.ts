import { describe, expect, it } from 'vitest';
import { type AlertReport, alertSchema } from '../../src/api/alerts.ts';
import { clusterState, isOngoing, nodeStateText } from '../../src/api/cluster-state.ts';
import { clusterSchema, nodeSchema } from '../../src/api/clusters.ts';
import { serviceSchema } from '../../src/api/services.ts';
import { exampleOf } from './object-cases.ts';

const alert = alertSchema.parse(exampleOf(alertSchema));
const example = clusterSchema.parse(exampleOf(clusterSchema));
const [node = nodeSchema.parse({})] = example.nodes;
const up = { ...node, state: 'up', reason: '' } as const;
const cluster = { ...example, nodes: [up] };
const online = { ...serviceSchema.parse(exampleOf(serviceSchema)), status: 'Online' };
const services = [online, { ...online, cluster: 'other', status: 'Down' }];

const firing = (more: Partial<AlertReport>): readonly AlertReport[] => [{ ...alert, ...more }];

describe('state of a cluster', () => {
  const cases = [
    ['without alerts', 'healthy', [], cluster, services],
    ['with a warning', 'warning', firing({}), cluster, services],
    ['with a critical alert', 'critical', [...firing({}), ...firing({ severity: 'critical' })], cluster, services],
    ['with an info alert', 'healthy', firing({ severity: 'info' }), cluster, services],
    ['with an alert of another cluster', 'healthy', firing({ cluster: 'other' }), cluster, services],
    ['with an event', 'healthy', firing({ event: true }), cluster, services],
    ['with a resolved alert', 'healthy', firing({ phase: 'resolved' }), cluster, services],
    ['with a silenced warning', 'warning', firing({ silencedBy: 's1', state: 'suppressed' }), cluster, services],
    ['without services', 'unknown', [], cluster, []],
    [
      'with a node that is not polled yet',
      'unknown',
      [],
      { ...cluster, nodes: [{ ...up, state: 'unknown' } as const] },
      services,
    ],
    ['without nodes', 'unknown', [], { ...cluster, nodes: [] }, services],
    [
      'with a node that is down',
      'not all online',
      [],
      { ...cluster, nodes: [up, { ...node, state: 'down' } as const] },
      services,
    ],
    ['with a service in warmup', 'not all online', [], cluster, [{ ...online, status: 'Warmup' }]],
  ] as const;

  it.each(cases.map((one) => [one[0], one[1], one] as const))('%s is %s', (_, state, [, , alerts, of, seen]) => {
    expect(clusterState(of, { alerts, services: seen })).toBe(state);
  });
});

it.each([
  [{}, true],
  [{ rule: 'watchdog' }, false],
  [{ event: true }, false],
  [{ inhibitedBy: 'k2' }, false],
  [{ phase: 'pending' }, false],
] as const)('an alert with %j is ongoing: %s', (more, expected) => {
  expect(isOngoing({ ...alert, ...more })).toBe(expected);
});

it.each([
  ['up', true, '', 'up'],
  ['unknown', null, '', 'not polled yet'],
  ['down', false, 'timeout', 'does not answer'],
  ['down', false, 'unreachable', 'does not answer'],
  ['down', false, 'tls', 'does not answer'],
  ['down', true, 'status', 'reachable, refusing (status)'],
  ['down', true, 'auth', 'reachable, refusing (auth)'],
  ['down', true, 'body', 'reachable, unusable answer'],
] as const)('a node that is %s, reachable %s, because of %j is «%s»', (state, reachable, reason, text) => {
  expect(nodeStateText({ state, reachable, reason })).toBe(text);
});
