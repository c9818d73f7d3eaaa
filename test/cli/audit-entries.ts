import type { AuditEntry } from '../../src/api/guard-audit.ts';

/** An abort that went well; what a test is about it says itself. */
export function auditEntry(more: Partial<AuditEntry> = {}): AuditEntry {
  return {
    kind: 'abort',
    at: '2026-09-22T04:53:20.125Z',
    cluster: 'prod',
    node: 'm1',
    id: '1.RESTPP_1_1.1790000000000.N',
    graph: 'fraud',
    query: 'ring_scan',
    policy: 'runaway',
    policyHash: '0123456789ab',
    by: '',
    reason: '',
    action: '',
    subject: '',
    ageSeconds: 7325.4,
    grantedTimeoutSeconds: 10_800,
    matchedAt: '2026-09-22T04:52:50.000Z',
    earliestAbortAt: '2026-09-22T04:53:20.000Z',
    firstSeenAt: '2026-09-22T04:50:00.000Z',
    lastSeenAt: '2026-09-22T04:53:19.000Z',
    pressures: { node_memory: 0.9 },
    notify: ['oncall'],
    outcome: 'confirmed',
    endedAt: '2026-09-22T04:53:22.000Z',
    skipReason: '',
    replayCommand: '',
    damaged: false,
    ...more,
  };
}
