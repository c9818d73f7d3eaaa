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
  it.each([
    ['healthy', [], cluster, services],
    ['warning', firing({}), cluster, services],
    ['critical', [...firing({}), ...firing({ severity: 'critical' })], cluster, services],
    ['healthy', firing({ severity: 'info' }), cluster, services],
    ['healthy', firing({ cluster: 'other' }), cluster, services],
    ['healthy', firing({ event: true }), cluster, services],
    ['healthy', firing({ phase: 'resolved' }), cluster, services],
    ['warning', firing({ silencedBy: 's1', state: 'suppressed' }), cluster, services],
    ['unknown', [], cluster, []],
    ['unknown', [], { ...cluster, nodes: [{ ...up, state: 'unknown' } as const] }, services],
    ['unknown', [], { ...cluster, nodes: [] }, services],
    ['not all online', [], { ...cluster, nodes: [up, { ...node, state: 'down' } as const] }, services],
    ['not all online', [], cluster, [{ ...online, status: 'Warmup' }]],
  ] as const)('is %s', (state, alerts, of, seen) => {
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
