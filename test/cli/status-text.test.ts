import { describe, expect, it } from 'vitest';
import { alertSchema } from '../../src/api/alerts.ts';
import { clusterSchema, collectorSchema, nodeSchema } from '../../src/api/clusters.ts';
import { guardSchema } from '../../src/api/guard.ts';
import { serviceSchema } from '../../src/api/services.ts';
import { type StatusFacts, statusExit, statusText, summarizeStatus } from '../../src/cli/status-text.ts';
import { exampleOf } from '../api/object-cases.ts';

const now = Date.parse('2026-01-31T12:05:00Z');
const example = clusterSchema.parse(exampleOf(clusterSchema));
const [down = nodeSchema.parse({})] = example.nodes;
const up = { ...down, name: 'm2', state: 'up', reason: '' } as const;
const service = serviceSchema.parse(exampleOf(serviceSchema));
const online = { ...service, status: 'Online' };
const alert = alertSchema.parse(exampleOf(alertSchema));
const collector = { ...collectorSchema.parse(exampleOf(collectorSchema)), collector: 'services' };

const calm: StatusFacts = {
  clusters: [{ ...example, nodes: [up] }],
  alerts: [{ ...alert, rule: 'watchdog' }],
  services: [online],
  collectors: [collector],
  guard: { ...guardSchema.parse(exampleOf(guardSchema)), paused: false },
  replicas: {
    items: [],
    total: 0,
    limit: 100,
    offset: 0,
    databaseAway: false,
    databaseAnsweredAt: null,
    withoutOwner: [],
  },
  missing: [],
};

const bad: StatusFacts = {
  ...calm,
  clusters: [...calm.clusters, { ...example, name: 'dev', nodes: [up, down] }],
  alerts: [{ ...alert, severity: 'critical', cluster: 'dev' }],
  services: [online, { ...service, cluster: 'dev' }],
};

describe('status', () => {
  it('of healthy clusters is one line for each', () => {
    expect(statusText(calm, now)).toBe(
      [
        'healthy: no alert fires',
        '',
        'CLUSTER  STATE    NODES      SERVICES       ALERTS  POLLED',
        'prod     healthy  1 of 1 up  1 of 1 online  0       5m ago',
        '',
      ].join('\n'),
    );
    expect(statusExit(calm)).toBe(0);
  });

  it('has the problem of a rejected configuration file, which is a warning', () => {
    const rejectedConfig = { since: '2026-01-31T12:00:00.000Z', problem: 'web.yml:3:1: wrong' };
    const facts = { ...calm, guard: { ...calm.guard, rejectedConfig } };
    const [first, , rejected, problem] = statusText(facts, now).split('\n');
    expect([first, problem]).toEqual(['warning: no alert fires', '  web.yml:3:1: wrong']);
    expect(rejected).toMatch(/^configuration file rejected since /);
    expect(statusExit(facts)).toBe(3);
  });

  it('has the worst cluster first, then services that are not online, and alerts', () => {
    const lines = statusText(bad, now).split('\n');
    expect(lines[0]).toBe('critical: 1 alert fires');
    expect(lines[3]).toMatch(/^dev {6}critical {2}1 of 2 up {2}0 of 1 online {2}1 {7}never$/);
    expect(lines[4]).toMatch(/^prod {5}healthy/);
    expect(lines).toContain('node dev/m1 does not answer for 5m');
    expect(lines).toContain('GPE_1#2 of dev Down for 4m 55s');
    expect(lines.at(-2)).toMatch(/^critical {2}5m {5}firing {2}The disk of m1 is full in 3 h\./);
    expect(statusExit(bad)).toBe(4);
  });

  it('does not count services as offline whose status is unknown', () => {
    const unobserved = { ...service, cluster: 'prod', status: 'unobserved' };
    const cellOf = (services: StatusFacts['services']) => statusText({ ...calm, services }, now).split('\n')[3];
    expect(cellOf([unobserved, unobserved])).toContain('  unknown  ');
    expect(cellOf([])).toContain('  unknown  ');
    expect(cellOf([{ ...unobserved, status: 'Online' }, unobserved])).toContain('  1 of 2 online, 1 unknown  ');
  });

  it('is a warning if an alert about graphwarden itself fires, or a cluster is unknown', () => {
    expect(summarizeStatus({ ...calm, alerts: [{ ...alert, cluster: '' }] }).state).toBe('warning');
    expect(summarizeStatus({ ...calm, alerts: [{ ...alert, cluster: '', severity: 'critical' }] }).state).toBe(
      'critical',
    );
    expect(statusExit({ ...calm, services: [] })).toBe(3);
    expect(statusExit({ ...calm, clusters: [] })).toBe(3);
    expect(statusText({ ...calm, clusters: [] }, now)).toContain('no cluster is configured');
  });

  it('states that the guard is paused', () => {
    expect(statusText({ ...calm, guard: { ...calm.guard, paused: true } }, now)).toMatch(/; the guard is paused\n/);
  });

  it('shows an abort as an event', () => {
    const aborted = { ...alert, rule: 'query_aborted', event: true };
    const text = statusText({ ...calm, alerts: [aborted] }, now);
    expect(text).toMatch(/^healthy: no alert fires\n/);
    expect(text).toContain('5m ago  The disk');
  });

  it('limits each list', () => {
    const services = Array.from({ length: 20 }, (_, at) => ({ ...service, cluster: 'prod', replica: String(at) }));
    expect(statusText({ ...calm, services }, now)).toContain('\nand 12 more services\n');
  });

  it('is JSON with the state of each cluster', () => {
    expect(summarizeStatus(bad)).toMatchObject({
      state: 'critical',
      clusters: [
        { name: 'dev', state: 'critical', nodes: 2, nodesUp: 1, instances: 1, instancesOnline: 0, asOf: null },
        { name: 'prod', state: 'healthy', alertsFiring: 0, asOf: '2026-01-31T12:00:00.000Z' },
      ],
    });
  });
});
