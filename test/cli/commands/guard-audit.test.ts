import { describe, expect, it } from 'vitest';
import type { AuditEntry } from '../../../src/api/guard-audit.ts';
import { guardAuditRoute } from '../../../src/app/api/guard-audit-route.ts';
import { createHandler } from '../../../src/app/api/routes.ts';
import { runCli } from '../../../src/cli/cli.ts';
import { commands } from '../../../src/cli/commands/all.ts';
import { auditTable } from '../../../src/cli/commands/guard-audit.ts';
import { intentChange, outcomeChange } from '../../../src/guard/storage/abort-rows.ts';
import { actionChange } from '../../../src/guard/storage/operator-action-rows.ts';
import type { Store, StoreChange } from '../../../src/kernel/store.ts';
import { systemClock } from '../../../src/runtime/clock.ts';
import { memoryStore } from '../../../src/runtime/store/local-store.ts';
import { openStore } from '../../../src/runtime/store/thread-store.ts';
import { workerThread } from '../../../src/runtime/worker-thread.ts';
import { storedAbort } from '../../guard/storage/stored-aborts.ts';
import { freePort } from '../../support/free-port.ts';
import { livePorts, temporaryFolder } from '../../support/live-ports.ts';
import { fixedReply, serve } from '../../support/served-listener.ts';
import { auditEntry } from '../audit-entries.ts';

const hour = 3_600_000;
const retention = { transitions: 1e12, audit: 1e12, notifications: 1e12, size: 1e9 };
const now = Date.now();
const old = storedAbort(1, { at: now - 300 * hour });
const one = storedAbort(2, { at: now - 3 * hour });
const manual = storedAbort(3, {
  at: now - 2 * hour,
  cluster: 'test',
  node: 'n2',
  policy: '',
  mode: 'manual',
  manual: { by: 'bob', reason: 'blocks the load' },
});
const act = { at: now - hour, what: 'pause', by: 'alice', cluster: '', subject: '', reason: 'migration' } as const;
const history: readonly StoreChange[] = [
  ...[old, one, manual].map(intentChange),
  outcomeChange(one, { outcome: 'confirmed', at: now - 2 * hour }),
  actionChange(act, { next: () => 0.5 }),
];

async function daemonWith(changes: readonly StoreChange[]): Promise<string> {
  const store = memoryStore();
  await store.commit(changes);
  return daemonOver(store);
}

async function daemonOver(store: Store): Promise<string> {
  const { url } = await serve(
    createHandler(
      [guardAuditRoute({ history: store, now: () => systemClock.now(), evidence: async () => [] })],
      () => '',
    ),
  );
  return url;
}

async function shown(...args: readonly string[]): Promise<{ code: number; out: string; error: string }> {
  const ports = livePorts();
  const code = await runCli(['guard', 'audit', ...args], commands, ports);
  return { code, out: ports.stdout.text(), error: ports.stderr.text() };
}

function inShort(out: string): readonly string[] {
  const entries: readonly AuditEntry[] = JSON.parse(out);
  return entries.map(({ id, action }) => (action === '' ? id.slice(0, 1) : action));
}

describe('the audit of a running daemon', () => {
  it('is that of the last week, the oldest first', async () => {
    const { code, out, error } = await shown('--url', await daemonWith(history));
    expect([code, error]).toEqual([0, '']);
    const lines = out.trimEnd().split('\n');
    expect(lines.map((line) => line.split(/ {2,}/).slice(1).join(' | '))).toEqual([
      'WHAT | WHERE | OUTCOME | WHY | AGE | SKIP REASON | PROCESS LISTS',
      'ring_scan on fraud | prod/n1 | confirmed | runaway | 11m 40s | not kept',
      'ring_scan on fraud | test/n2 | (open) | by bob: blocks the load | 11m 40s | not kept',
      'pause | by alice: migration',
    ]);
  });

  it.each([
    [
      ['--since', '400d'],
      ['1', '2', '3', 'pause'],
    ],
    [
      ['--since', '150m'],
      ['3', 'pause'],
    ],
    [['--policy', 'runaway'], ['2']],
    [['--cluster', 'test'], ['3']],
    [['--node', 'n1'], ['2']],
    [['--cluster', 'prod', '--policy', 'greedy'], []],
  ])('can be filtered by %j', async (args, expected) => {
    const { out } = await shown('--url', await daemonWith(history), '--json', ...args);
    expect(inShort(out)).toEqual(expected);
  });

  it('is printed completely, with any number of pages', async () => {
    const many = Array.from({ length: 2345 }, (_, serial) => intentChange(storedAbort(serial, { at: now - hour })));
    const { out } = await shown('--url', await daemonWith(many), '--json');
    expect(new Set(JSON.parse(out).map(({ id }: AuditEntry) => id)).size).toBe(2345);
  });

  it('may be empty', async () => {
    const { code, out, error } = await shown('--url', await daemonWith([]));
    expect([code, out, error]).toEqual([0, 'no audit entries\n', '']);
  });

  it('that cannot be read is an error', async () => {
    const unreachable = await shown('--url', `http://127.0.0.1:${await freePort()}`);
    expect(unreachable).toMatchObject({ code: 1, out: '', error: expect.stringMatching(/^graphwarden: /) });
    const store = memoryStore();
    await store.close();
    const closed = await shown('--url', await daemonOver(store));
    expect(closed).toMatchObject({ code: 1, error: expect.stringContaining('the store is closed') });
    const { url } = await serve(fixedReply({ body: '{"items":7}' }));
    expect(await shown('--url', url)).toMatchObject({
      code: 1,
      error: expect.stringContaining('unexpected response of the daemon at items: '),
    });
  });
});

describe('the audit of a stopped daemon', () => {
  it('is read from its folder', async () => {
    const folder = await temporaryFolder();
    const open = openStore((role) => workerThread(new URL('../../../src/main.ts', import.meta.url), role));
    const store = await open({ folder, retention });
    if (!store.ok) throw new Error(store.error.message);
    expect(await store.value.commit(history)).toEqual({ ok: true, value: undefined });
    await store.value.close();
    const { code, out } = await shown('--state-dir', folder, '--json', '--since', '400d');
    expect([code, inShort(out)]).toEqual([0, ['1', '2', '3', 'pause']]);
  });

  it('that does not exist is an error', async () => {
    const { code, error } = await shown('--state-dir', '/nowhere/at/all');
    expect([code, error]).toEqual([1, expect.stringContaining('/nowhere/at/all')]);
  });
});

describe('invalid usage of `guard audit`', () => {
  it.each([
    [['--since', 'yesterday'], '--since must be'],
    [['--state-dir', 'a', '--url', 'http://localhost'], '--state-dir and --url are mutually exclusive'],
    [['--policies', 'x'], '(Did you mean --policy?)'],
  ])('is %j', async (args, message) => {
    const { code, error } = await shown(...args);
    expect([code, error]).toEqual([2, expect.stringContaining(message)]);
  });
});

const none = { node: '', id: '', graph: '', query: '', policy: '', ageSeconds: null, outcome: '' } as const;
const pause = auditEntry({
  ...none,
  kind: 'operator_action',
  action: 'pause',
  by: 'alice',
  reason: 'migration',
  cluster: '',
});

function cells(...entries: Parameters<typeof auditTable>[0]): readonly string[] {
  return auditTable(entries).trimEnd().split('\n').slice(1);
}

describe('audit table', () => {
  it('has a header and a row for each entry', () => {
    const byOperator = auditEntry({
      policy: '',
      by: 'bob',
      reason: 'blocks the load',
      outcome: 'still_running',
      cluster: 'test',
    });
    expect(auditTable([auditEntry(), byOperator, pause])).toBe(
      [
        'TIME                  WHAT                WHERE    OUTCOME        WHY                      AGE    SKIP REASON  PROCESS LISTS',
        '2026-09-22 04:53:20Z  ring_scan on fraud  prod/m1  confirmed      runaway                  2h 2m               not kept',
        '2026-09-22 04:53:20Z  ring_scan on fraud  test/m1  still_running  by bob: blocks the load  2h 2m               not kept',
        '2026-09-22 04:53:20Z  pause                                       by alice: migration',
        '',
      ].join('\n'),
    );
  });

  it('shows at 80 columns what was aborted, where and with which outcome', () => {
    const text = auditTable([auditEntry(), pause], { columns: 80, wide: false });
    expect(text).toMatch(/^TIME +WHAT +WHERE +OUTCOME\b.*\n.* ring_scan on fraud +prod\/m1 +confirmed\b/);
  });

  it('states that it is empty', () => {
    expect(auditTable([])).toBe('no audit entries\n');
  });

  it.each([
    [{ outcome: '', endedAt: null } as const, /fraud {2}prod\/m1 {2}\(open\) .* 2h 2m +not kept$/],
    [{ outcome: 'withdrawn', skipReason: 'paused' } as const, /withdrawn .* paused +not kept$/],
    [{ damaged: true, ageSeconds: null } as const, /confirmed .* {2}damaged row {2}not kept$/],
    [{ replayCommand: 'graphwarden guard replay --abort 7' }, /confirmed .* {2}graphwarden guard replay --abort 7$/],
  ])('shows %j', (more, line) => {
    expect(cells(auditEntry(more))[0]).toMatch(line);
  });

  it('shows the action of an operator with its subject', () => {
    const reset = { ...pause, action: 'reset_breaker', subject: 'no_relief runaway', cluster: 'prod', reason: '' };
    expect(cells(reset)[0]).toMatch(/Z {2}reset_breaker no_relief runaway {2}prod .* by alice$/);
  });

  it('contains no control characters', () => {
    const [line] = cells({ ...pause, reason: '\u001B[2Jgone\nand more' });
    expect(line).toMatch(/by alice: {2}\[2Jgone and more$/);
  });
});
