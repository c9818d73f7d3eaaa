import { expect, it } from 'vitest';
import { IncidentLog, logTracked, StoreHealthLogger } from '../../../src/app/incidents/incident-log.ts';
import type { Alert } from '../../../src/model/alert.ts';
import type { ReplicaView } from '../../../src/model/transition.ts';
import type { TrackerOutput } from '../../../src/track/transitions.ts';
import { recordingLogger } from '../../support/logger.ts';

function hard(replica: string, from: string, confirmed: string): TrackerOutput {
  const id = { cluster: 'prod', service: 'GPE', partition: '1', replica };
  const view: ReplicaView = {
    ...id,
    observed: confirmed,
    observedSince: 0,
    confirmed,
    confirmedSince: 0,
    process: '',
    flapping: false,
    disputed: false,
  };
  return { kind: 'confirmed', replica: view, from };
}

it('a confirmed transition is a line, one for all instances that change alike', () => {
  const log = recordingLogger();
  const many = ['1', '2', '3', '4', '5'].map((replica) => hard(replica, 'Online', 'unobserved'));
  logTracked(log, [hard('1', 'Online', 'Down'), hard('2', 'unobserved', 'Online'), ...many]);
  expect(log.lines.map(({ level, message, fields }) => ({ level, message, ...fields }))).toEqual([
    {
      level: 'info',
      message: 'service status confirmed',
      cluster: 'prod',
      instances: 'GPE_1#1',
      from: 'Online',
      to: 'Down',
    },
    expect.objectContaining({ instances: 'GPE_1#1, GPE_1#2, GPE_1#3 and 2 more', to: 'unobserved' }),
  ]);
});

it('an incident has a line for its start and one for its end, and no line for its acknowledgement', () => {
  const log = recordingLogger();
  const alert: Alert = {
    key: 'k1',
    episode: 7,
    rule: 'disk_filling',
    severity: 'warning',
    labels: { alertname: 'GraphdbDiskFilling' },
    annotations: { summary: 'The disk of m1 fills.' },
    status: 'firing',
    startsAt: 0,
    generatorUrl: '',
  };
  const incidents = new IncidentLog(log);
  for (const status of ['firing', 'firing', 'resolved', 'firing'] as const) incidents.record({ ...alert, status });
  expect(log.lines.map(({ message }) => message)).toEqual(['alert firing', 'alert resolved', 'alert firing']);
  expect(log.lines[0]?.fields).toMatchObject({
    incident: 'k1-7',
    severity: 'warning',
    summary: 'The disk of m1 fills.',
  });
});

it('a store failure and a recovery are logged once, also without a batch', () => {
  const log = recordingLogger();
  const store = { durable: true, problem: undefined as string | undefined };
  const health = new StoreHealthLogger(store, log);
  const set = (problem: string | undefined) => Object.assign(store, { problem, durable: problem === undefined });
  health.report('the row is too long');
  health.follow();
  set('PostgreSQL cannot be reached');
  health.follow();
  set('the connection ended');
  health.follow();
  set('PostgreSQL cannot be reached');
  health.follow();
  set(undefined);
  health.follow();
  health.follow();
  expect(log.lines.map(({ message, fields }) => [message, fields.error])).toEqual([
    ['state store write failed', 'the row is too long'],
    ['state store unavailable', 'PostgreSQL cannot be reached'],
    ['state store unavailable', 'the connection ended'],
    ['state store recovered', undefined],
  ]);
});
