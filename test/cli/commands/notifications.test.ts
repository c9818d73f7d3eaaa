import { describe, expect, it } from 'vitest';
import { notificationRoute } from '../../../src/app/api/notification-route.ts';
import { createHandler } from '../../../src/app/api/routes.ts';
import { reportNotification } from '../../../src/app/incidents/delivery-report.ts';
import { runCli } from '../../../src/cli/cli.ts';
import { commands } from '../../../src/cli/commands/all.ts';
import { notificationTable } from '../../../src/cli/commands/notifications.ts';
import type { NotificationRecord } from '../../../src/model/delivery.ts';
import { notificationInsert } from '../../../src/notify/outbox/notification-rows.ts';
import { systemClock } from '../../../src/runtime/clock.ts';
import { memoryStore } from '../../../src/runtime/store/local-store.ts';
import { openStore } from '../../../src/runtime/store/thread-store.ts';
import { workerThread } from '../../../src/runtime/worker-thread.ts';
import { livePorts, temporaryFolder } from '../../support/live-ports.ts';
import { notificationEntry } from '../../support/notifications.ts';
import { serve } from '../../support/served-listener.ts';

const minute = 60_000;
const retention = { transitions: 1e12, audit: 1e12, notifications: 1e12, size: 1e9 };

function entry(minutesAgo: number, more: Partial<NotificationRecord> = {}): NotificationRecord {
  const at = Date.now() - minutesAgo * minute;
  return notificationEntry({ at, queuedAt: at, ...more });
}

const log = [entry(3000), entry(20), entry(10, { receiver: 'chat', result: 'deferred', reason: 'no answer' })];

const unattempted = () => [entry(1, { receiver: 'mail', result: 'pending', attempts: 0 })];
const known = { receiver: { values: () => ['oncall', 'chat', 'mail'] } };

const mayBeIncident = async () => false;
const now = () => systemClock.now();

async function daemonWith(entries: readonly NotificationRecord[]): Promise<string> {
  const store = memoryStore();
  await store.commit(entries.map(notificationInsert));
  const route = notificationRoute({ history: store, known, mayBeIncident, unattempted, now });
  return (await serve(createHandler([route], () => ''))).url;
}

async function shown(...args: readonly string[]): Promise<{ code: number; out: string; error: string }> {
  const ports = livePorts();
  const code = await runCli(['notifications', ...args], commands, ports);
  return { code, out: ports.stdout.text(), error: ports.stderr.text() };
}

describe('notifications', () => {
  it('lists those of the last day, the oldest first, and those without an attempt at the end', async () => {
    const { code, out, error } = await shown('--url', await daemonWith(log));
    expect([code, error]).toEqual([0, '']);
    const lines = out.trimEnd().split('\n');
    expect(lines.map((line) => line.split(/ {2,}/).slice(1, 4).join(' '))).toEqual([
      'RECEIVER RESULT ACTION',
      'oncall accepted trigger',
      'chat deferred trigger',
      'mail pending trigger',
    ]);
  });

  it('prints the selected ones as JSON', async () => {
    const { out } = await shown('--url', await daemonWith(log), '--receiver', 'chat', '--since', '3d', '--json');
    expect(JSON.parse(out)).toMatchObject([{ receiver: 'chat', result: 'deferred', reason: 'no answer' }]);
  });

  it('lists those of one incident of any age', async () => {
    const key = '0123456789abcdef';
    const url = await daemonWith([...log, entry(5000, { key, episode: 9 })]);
    expect(JSON.parse((await shown('--url', url, '--incident', '0123456789ab-9', '--json')).out)).toHaveLength(1);
    const recent = await shown('--url', url, '--incident', '0123456789ab-9', '--since', '1d');
    expect([recent.code, recent.out]).toEqual([0, 'no notifications\n']);
  });

  it('refuses an unknown incident as a usage error', async () => {
    const { code, out, error } = await shown('--url', await daemonWith(log), '--incident', '0123456789ab-9');
    expect([code, out]).toEqual([2, '']);
    expect(error).toContain("No incident has the ID '0123456789ab-9', or it is over");
  });

  it('refuses an unknown result', async () => {
    expect((await shown('--url', await daemonWith(log), '--result', 'lost')).code).toBe(2);
  });

  it('refuses an unknown receiver as a usage error with a suggestion', async () => {
    const { code, out, error } = await shown('--url', await daemonWith(log), '--receiver', 'chatt');
    expect([code, out]).toEqual([2, '']);
    expect(error).toContain("There is no receiver 'chatt'. Did you mean 'chat'?");
  });

  it('reads the state directory of a stopped daemon', async () => {
    const folder = await temporaryFolder();
    const opened = await openStore((role) => workerThread(new URL('../../../src/main.ts', import.meta.url), role))({
      folder,
      retention,
    });
    if (!opened.ok) throw new Error(opened.error.message);
    await opened.value.commit(log.map(notificationInsert));
    await opened.value.close();
    const { code, out } = await shown('--state-dir', folder, '--json', '--receiver', 'oncall');
    expect([code, JSON.parse(out).length]).toEqual([0, 1]);
  });
});

describe('table of notifications', () => {
  const at = Date.parse('2026-01-31T12:00:00Z');
  const row = (more: Partial<NotificationRecord>): string =>
    notificationTable([reportNotification(notificationEntry({ at, queuedAt: at, ...more }))]).split('\n')[1] ?? '';

  it.each<[Partial<NotificationRecord>, string]>([
    [{ status: 202, proof: '{"status":"success"}' }, '  status 202: {"status":"success"}  '],
    [{ queuedAt: at - 432_000, attempts: 9, reason: 'no answer' }, '  after 7m 12s, no answer  '],
    [
      { result: 'deferred', reason: 'status 503', nextAttemptAt: at + 9000 },
      'status 503, next attempt 2026-01-31 12:00:09Z',
    ],
    [{ labels: { alertname: 'GraphwardenConfigRejected' } }, '  (graphwarden)  '],
    [{ action: 'digest', key: '', episode: 0, labels: {} }, 'accepted  digest  -'],
    [{ reason: 'a\u001B[2Jb', result: 'parked' }, 'a [2Jb'],
  ])('shows %j', (more, text) => {
    expect(row(more)).toContain(text);
  });

  it('reports an empty list', () => {
    expect(notificationTable([])).toBe('no notifications\n');
  });
});
