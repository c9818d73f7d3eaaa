import { describe, expect, it } from 'vitest';
import { type MarkFacts, marksOf } from '../../page/src/timeline-marks.ts';
import { alertSchema } from '../../src/api/alerts.ts';
import { checkSchema } from '../../src/api/clusters.ts';
import { auditEntrySchema } from '../../src/api/guard-audit.ts';
import { notificationSchema } from '../../src/api/notifications.ts';
import { serviceSchema, transitionSchema } from '../../src/api/services.ts';

const hour = 3_600_000;
const start = Date.parse('2026-01-31T12:00:00Z');
const window = { from: start, to: start + hour };
const now = start + hour;
const nothing: MarkFacts = { alerts: [], notifications: [], audit: [], checks: [], services: [], transitions: [] };

function at(minutes: number): string {
  return new Date(start + minutes * 60_000).toISOString();
}

/** Returns the example of an API object with other fields. */
function example<Value extends object>(
  schema: { meta(): unknown; parse(value: unknown): Value },
  more: Partial<Value>,
): Value {
  const meta = schema.meta();
  const examples = typeof meta === 'object' && meta !== null && 'examples' in meta ? meta.examples : undefined;
  const given: unknown = Array.isArray(examples) ? examples[0] : undefined;
  return schema.parse({ ...schema.parse(given), ...more });
}

/** Returns each mark as `KIND FROM-TO TEXT`, with times in minutes. */
function marks(facts: Partial<MarkFacts>, cluster = ''): readonly string[] {
  return marksOf({ ...nothing, ...facts }, window, cluster, now).map(
    ({ kind, from, to, text }) => `${kind} ${(from - start) / 60_000}-${(to - start) / 60_000} ${text}`,
  );
}

describe('marks of the timeline', () => {
  it('are the alerts that fired within the window, until they were resolved', () => {
    const annotations = { summary: 'm1 is full' };
    const firing = example(alertSchema, { startsAt: at(-5), annotations });
    const resolved = example(alertSchema, { startsAt: at(10), endsAt: at(20), phase: 'resolved', annotations });
    const before = example(alertSchema, { startsAt: at(-20), endsAt: at(-10), phase: 'resolved' });
    const pending = example(alertSchema, { startsAt: at(1), phase: 'pending' });
    const watchdog = example(alertSchema, { startsAt: at(1), rule: 'watchdog' });
    expect(marks({ alerts: [firing, resolved, before, pending, watchdog] })).toEqual([
      'alert 10-20 warning: m1 is full',
      'alert -5-60 warning: m1 is full',
    ]);
  });

  it('are earlier alerts by their notifications, one for each incident', () => {
    const common = { queuedAt: null, incident: 'a-1', summary: 'm2 is full' };
    const log = [
      example(notificationSchema, { ...common, at: at(30), action: 'resolve' }),
      example(notificationSchema, { ...common, at: at(21), receiver: 'chat', action: 'trigger' }),
      example(notificationSchema, { ...common, at: at(20), action: 'trigger' }),
    ];
    expect(marks({ notifications: log })).toEqual(['alert 20-30 warning: m2 is full']);
    const listed = example(alertSchema, { incident: 'a-1', startsAt: at(19), annotations: { summary: 'm2 is full' } });
    expect(marks({ notifications: log, alerts: [listed] })).toEqual(['alert 19-60 warning: m2 is full']);
  });

  it('are aborts and starts, but no other action of the audit', () => {
    const abort = example(auditEntrySchema, { at: at(5) });
    const action = { kind: 'operator_action', cluster: '', action: 'start', subject: '1.2.3' } as const;
    const started = example(auditEntrySchema, { ...action, at: at(6) });
    const paused = example(auditEntrySchema, { ...action, at: at(7), action: 'pause' });
    expect(marks({ audit: [abort, started, paused] })).toEqual([
      'start 6-6 graphwarden 1.2.3 started',
      'abort 5-5 abort of ring_scan (fraud) on m1 by runaway: confirmed',
    ]);
    expect(marks({ audit: [abort, started] }, 'other')).toEqual(['start 6-6 graphwarden 1.2.3 started']);
  });

  it('are the latest runs of checks, one for all results of a run', () => {
    const run = { lastRun: at(9) };
    const checks = [
      example(checkSchema, run),
      example(checkSchema, { ...run, partition: '2', passed: false }),
      example(checkSchema, { ...run, check: 'deleted_vertex' }),
      example(checkSchema, { check: 'other', lastRun: null }),
    ];
    expect(marks({ checks })).toEqual([
      'check 9-9 data_consistency failed: 1 of 2 results',
      'check 9-9 deleted_vertex passed',
    ]);
  });

  it('are the times in which instances were not observed, over or not', () => {
    const over = { at: at(20), from: 'unobserved', to: 'Online', lastedSeconds: 300 };
    const transitions = [
      example(transitionSchema, over),
      example(transitionSchema, { ...over, replica: '3', at: at(21), lastedSeconds: 360 }),
      example(transitionSchema, { at: at(15), from: 'Online', to: 'unobserved' }),
    ];
    const services = [example(serviceSchema, { status: 'unobserved', since: at(50) })];
    expect(marks({ transitions, services })).toEqual([
      'gap 50-60 1 instance not observed',
      'gap 15-21 2 instances not observed',
    ]);
  });
});
