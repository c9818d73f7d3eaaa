import { expect, it } from 'vitest';
import type { LeaseSnapshot } from '../../../src/runtime/postgres/lease-database.ts';
import { LeaseReport } from '../../../src/runtime/postgres/lease-report.ts';
import { registrationOf } from '../../support/lease-model.ts';
import { recordingLogger } from '../../support/logger.ts';

function reported(act: (report: LeaseReport) => void) {
  const log = recordingLogger();
  act(new LeaseReport(log));
  return log.lines.map(({ message, fields }) => [message, fields]);
}

it('the errors of an unavailable database are logged once each, and so is the recovery', () => {
  const lines = reported((report) => {
    for (const problem of [undefined, 'refused', 'reset', 'refused']) report.answered(problem);
    expect(report.problem).toBe('refused');
    for (const problem of [undefined, undefined]) report.answered(problem);
    expect(report.problem).toBeUndefined();
  });
  expect(lines).toEqual([
    ['lease renewal failed', { error: 'refused' }],
    ['lease renewal failed', { error: 'reset' }],
    ['lease renewal recovered', {}],
  ]);
});

it('clusters are named, at most ten of them', () => {
  const many = Array.from({ length: 30 }, (_, number) => `c${number}`);
  const lines = reported((report) => {
    report.taken(['', 'prod']);
    report.lost(many);
    report.released(2);
  });
  expect(lines).toEqual([
    ['leases acquired', { clusters: 2, names: ['graphwarden', 'prod'] }],
    ['leases lost, the clusters have another owner', { clusters: 30, names: many.slice(0, 10) }],
    ['leases released', { clusters: 2 }],
  ]);
});

it('live replicas with other clusters are logged when they change', () => {
  const replica = { id: '1', name: 'other', url: '', version: '', settingsHash: '', startedAt: 0, seenAt: 0 };
  const reading = (configHash: string, isLive = true): LeaseSnapshot => ({
    leases: [],
    replicas: [{ ...replica, configHash, isLive, fingerprint: undefined }],
    peerKey: undefined,
    sharedRows: '',
    now: 0,
  });
  const own = registrationOf('a', []);
  const lines = reported((report) => {
    for (const one of [reading('same'), reading('x', false), reading('x'), reading('x')]) report.readReplicas(one, own);
  });
  expect(lines).toEqual([
    ['replicas have different clusters configured', expect.objectContaining({ replicas: 'other (1)' })],
  ]);
});
