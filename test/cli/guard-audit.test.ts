import { describe, expect, it } from 'vitest';
import type { AuditReport } from '../../src/app/guard-audit.ts';
import { guardAuditRoute } from '../../src/app/guard-audit-routes.ts';
import { createHandler } from '../../src/app/routes.ts';
import { cli } from '../../src/cli/cli.ts';
import { commands } from '../../src/cli/commands.ts';
import { intentChange, outcomeChange } from '../../src/guard/keeping/abort-rows.ts';
import { actionChange } from '../../src/guard/keeping/action-rows.ts';
import type { Change, Store } from '../../src/kernel/store.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { memoryStore } from '../../src/runtime/store/memory-store.ts';
import { openStore } from '../../src/runtime/store/open-store.ts';
import { workerThread } from '../../src/runtime/worker-thread.ts';
import { keptAbort } from '../guard/keeping/kept-aborts.ts';
import { livePorts, temporaryFolder } from '../support/live-ports.ts';
import { freePort } from '../support/ports.ts';
import { answering, serve } from '../support/serving.ts';

const hour = 3_600_000;
const retention = { transitions: 1e12, audit: 1e12, notifications: 1e12, size: 1e9 };
const now = Date.now();
const old = keptAbort(1, { at: now - 300 * hour });
const one = keptAbort(2, { at: now - 3 * hour });
const manual = keptAbort(3, {
  at: now - 2 * hour,
  cluster: 'test',
  node: 'n2',
  policy: '',
  mode: 'manual',
  manual: { by: 'bob', reason: 'blocks the load' },
});
const act = { at: now - hour, what: 'pause', by: 'alice', cluster: '', subject: '', reason: 'migration' } as const;
const history: readonly Change[] = [
  ...[old, one, manual].map(intentChange),
  outcomeChange(one, { outcome: 'confirmed', at: now - 2 * hour }),
  actionChange(act, { next: () => 0.5 }),
];

async function daemonWith(changes: readonly Change[]): Promise<string> {
  const store = memoryStore();
  await store.commit(changes);
  return daemonOver(store);
}

async function daemonOver(store: Store): Promise<string> {
  const { url } = await serve(createHandler([guardAuditRoute({ store, now: () => systemClock.now() })], () => ''));
  return url;
}

async function shown(...args: readonly string[]): Promise<{ code: number; out: string; error: string }> {
  const ports = livePorts();
  const code = await cli(['guard', 'audit', ...args], commands, ports);
  return { code, out: ports.stdout.text(), error: ports.stderr.text() };
}

function inShort(out: string): readonly string[] {
  const entries: readonly AuditReport[] = JSON.parse(out);
  return entries.map(({ id, what }) => (what === '' ? id.slice(0, 1) : what));
}

describe('the audit of a running daemon', () => {
  it('is that of the last week, the oldest first', async () => {
    const { code, out, error } = await shown('--url', await daemonWith(history));
    expect([code, error]).toEqual([0, '']);
    const lines = out.trimEnd().split('\n');
    expect(lines.map((line) => line.split(/ {2,}/).slice(1).join(' | '))).toEqual([
      'WHERE | WHAT | WHY | AGE | OUTCOME | DOUBT',
      'prod/n1 | ring_scan on fraud | runaway | 11m40s | confirmed',
      'test/n2 | ring_scan on fraud | by bob: blocks the load | 11m40s | (open)',
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
  ])('can be narrowed by %j', async (args, expected) => {
    const { out } = await shown('--url', await daemonWith(history), '--json', ...args);
    expect(inShort(out)).toEqual(expected);
  });

  it('is all there, however many pages it fills', async () => {
    const many = Array.from({ length: 2345 }, (_, serial) => intentChange(keptAbort(serial, { at: now - hour })));
    const { out } = await shown('--url', await daemonWith(many), '--json');
    expect(new Set(JSON.parse(out).map(({ id }: AuditReport) => id)).size).toBe(2345);
  });

  it('may be empty', async () => {
    const { code, out, error } = await shown('--url', await daemonWith([]));
    expect([code, out, error]).toEqual([0, 'nothing was aborted or done\n', '']);
  });

  it('that cannot be had is trouble', async () => {
    const unreachable = await shown('--url', `http://127.0.0.1:${await freePort()}`);
    expect(unreachable).toMatchObject({ code: 1, out: '', error: expect.stringMatching(/^graphwarden: /) });
    const store = memoryStore();
    await store.close();
    const closed = await shown('--url', await daemonOver(store));
    expect(closed).toMatchObject({ code: 1, error: expect.stringContaining('the store is closed') });
    const { url } = await serve(answering({ body: '{"items":7}' }));
    expect(await shown('--url', url)).toMatchObject({
      code: 1,
      error: expect.stringContaining('no page of the audit'),
    });
  });
});

describe('the audit of a stopped daemon', () => {
  it('is read from its folder', async () => {
    const folder = await temporaryFolder();
    const open = openStore(() => workerThread(new URL('../../src/main.ts', import.meta.url), 'state'));
    const store = await open({ folder, retention });
    if (!store.ok) throw new Error(store.error.message);
    expect(await store.value.commit(history)).toEqual({ ok: true, value: undefined });
    await store.value.close();
    const { code, out } = await shown('--state-dir', folder, '--json', '--since', '400d');
    expect([code, inShort(out)]).toEqual([0, ['1', '2', '3', 'pause']]);
  });

  it('that is not there is trouble', async () => {
    const { code, error } = await shown('--state-dir', '/nowhere/at/all');
    expect([code, error]).toEqual([1, expect.stringContaining('/nowhere/at/all')]);
  });
});

describe('a wrong use', () => {
  it.each([
    [['--since', 'yesterday'], '--since must be'],
    [['--state-dir', 'a', '--url', 'http://localhost'], '--state-dir cannot stand beside --url'],
    [['--policies', 'x'], 'did you mean'],
  ])('is %j', async (args, message) => {
    const { code, error } = await shown(...args);
    expect([code, error]).toEqual([2, expect.stringContaining(message)]);
  });
});
