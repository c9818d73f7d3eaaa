import { describe, expect, it } from 'vitest';
import type { TransitionReport } from '../../../src/api/services.ts';
import { createHandler } from '../../../src/app/api/routes.ts';
import { serviceRoutes } from '../../../src/app/api/service-routes.ts';
import { runCli } from '../../../src/cli/cli.ts';
import { commands } from '../../../src/cli/commands/all.ts';
import { transitionTable } from '../../../src/cli/commands/transitions.ts';
import type { Store } from '../../../src/kernel/store.ts';
import type { Transition } from '../../../src/model/transition.ts';
import { systemClock } from '../../../src/runtime/clock.ts';
import { memoryStore } from '../../../src/runtime/store/local-store.ts';
import { openStore } from '../../../src/runtime/store/thread-store.ts';
import { workerThread } from '../../../src/runtime/worker-thread.ts';
import { insertTransition } from '../../../src/track/rows.ts';
import { freePort } from '../../support/free-port.ts';
import { livePorts, temporaryFolder } from '../../support/live-ports.ts';
import { fixedReply, serve } from '../../support/served-listener.ts';

const minute = 60_000;
const retention = { transitions: 1e12, audit: 1e12, notifications: 1e12, size: 1e9 };

function turn(minutesAgo: number, more: Partial<Transition> = {}): Transition {
  const id = { cluster: 'prod', service: 'GPE', partition: '1', replica: '1' };
  const event = { process: 'Running', eventId: 'e', eventNs: '1', source: 'm1' };
  return { ...id, at: Date.now() - minutesAgo * minute, from: 'Online', to: 'Down', duration: 1000, ...event, ...more };
}

const history = [
  turn(3000, { to: 'Paused' }),
  turn(20),
  turn(10, { from: 'Down', to: 'Online' }),
  turn(5, { service: 'GSE', cluster: 'test' }),
];

/** The address of a daemon that has this timeline. */
async function daemonWith(timeline: readonly Transition[]): Promise<string> {
  const store = memoryStore();
  await store.commit(timeline.map(insertTransition));
  return daemonOver(store);
}

async function daemonOver(store: Store): Promise<string> {
  const dependencies = { history: store.history, views: () => ({ replicas: [] }), now: () => systemClock.now() };
  const { url } = await serve(createHandler(serviceRoutes(dependencies), () => ''));
  return url;
}

async function shown(...args: readonly string[]): Promise<{ code: number; out: string; error: string }> {
  const ports = livePorts();
  const code = await runCli(['transitions', ...args], commands, ports);
  return { code, out: ports.stdout.text(), error: ports.stderr.text() };
}

describe('transitions of a running daemon', () => {
  it('are those of the last day, the oldest first', async () => {
    const { code, out, error } = await shown('--url', await daemonWith(history));
    expect([code, error]).toEqual([0, '']);
    const lines = out.trimEnd().split('\n');
    expect(lines.map((line) => line.split(/ {2,}/)[1])).toEqual(['SERVICE', 'GPE_1#1', 'GPE_1#1', 'GSE_1#1']);
    expect(lines[1]).toContain('Online  Down');
  });

  it.each([
    [['--since', '15m'], 2],
    [['--since', '400d'], 4],
    [['--service', 'GSE'], 1],
    [['--cluster', 'prod'], 2],
    [['--cluster', 'prod', '--service', 'GSE'], 0],
  ])('can be filtered by %j', async (args, count) => {
    const { out } = await shown('--url', await daemonWith(history), '--json', ...args);
    expect(JSON.parse(out)).toHaveLength(count);
  });

  it('are printed as the JSON of the API', async () => {
    const { out } = await shown('--url', await daemonWith(history), '--json', '--service', 'GSE');
    const at = new Date(history[3]?.at ?? 0).toISOString();
    expect(JSON.parse(out)).toEqual([
      {
        at,
        cluster: 'test',
        service: 'GSE',
        partition: '1',
        replica: '1',
        from: 'Online',
        to: 'Down',
        lastedSeconds: 1,
        process: 'Running',
        source: 'm1',
        eventId: 'e',
        eventNs: '1',
      },
    ]);
  });

  it('are printed completely, with any number of pages', async () => {
    const many = Array.from({ length: 2345 }, (_, at) => turn(10, { replica: String(at) }));
    const { out } = await shown('--url', await daemonWith(many), '--json');
    expect(JSON.parse(out)).toHaveLength(2345);
  });

  it('are an empty list without transitions', async () => {
    expect(await shown('--url', await daemonWith([]))).toEqual({ code: 0, out: 'no transitions\n', error: '' });
  });

  it('are an error if the daemon does not return them', async () => {
    const unreachable = await shown('--url', `http://127.0.0.1:${await freePort()}`);
    expect(unreachable).toMatchObject({ code: 1, out: '', error: expect.stringMatching(/^graphwarden: /) });
    const store = memoryStore();
    await store.close();
    const closed = await shown('--url', await daemonOver(store));
    expect(closed).toMatchObject({ code: 1, error: expect.stringContaining('the store is closed') });
    const { url } = await serve(fixedReply({ body: '{"items":7}' }));
    expect(await shown('--url', url)).toMatchObject({
      code: 1,
      error: expect.stringContaining('response of the daemon at items'),
    });
  });
});

describe('transitions of a stopped daemon', () => {
  async function folderWith(timeline: readonly Transition[]): Promise<string> {
    const folder = await temporaryFolder();
    const open = openStore((role) => workerThread(new URL('../../../src/main.ts', import.meta.url), role));
    const store = await open({ folder, retention });
    if (!store.ok) throw new Error(store.error.message);
    await store.value.commit(timeline.map(insertTransition));
    await store.value.close();
    return folder;
  }

  it('are read from its folder', async () => {
    const folder = await folderWith(history);
    const { code, out } = await shown('--state-dir', folder, '--json', '--cluster', 'prod');
    expect(code).toBe(0);
    expect(JSON.parse(out).map(({ to }: { to: string }) => to)).toEqual(['Down', 'Online']);
  });

  it('that do not exist are an error', async () => {
    expect(await shown('--state-dir', '/nowhere/at/all')).toMatchObject({
      code: 1,
      out: '',
      error: expect.stringContaining('/nowhere/at/all'),
    });
  });
});

describe('invalid usage of `transitions`', () => {
  it.each([
    [['--since', 'yesterday'], '--since must be'],
    [['--state-dir', 'a', '--url', 'http://localhost'], '--state-dir and --url are mutually exclusive'],
    [['--services', 'GPE'], '(Did you mean --service?)'],
  ])('is %j', async (args, message) => {
    const { code, error } = await shown(...args);
    expect(code).toBe(2);
    expect(error).toContain(message);
  });
});

function report(more: Partial<TransitionReport> = {}): TransitionReport {
  return {
    at: '2026-09-22T04:53:20.125Z',
    cluster: 'prod',
    service: 'GPE',
    partition: '1',
    replica: '2',
    from: 'Online',
    to: 'Down',
    lastedSeconds: 7325.4,
    process: 'Stopped',
    source: 'm1',
    eventId: 'e',
    eventNs: '1',
    ...more,
  };
}

function rowLines(...reports: readonly TransitionReport[]): readonly string[] {
  return transitionTable(reports).trimEnd().split('\n').slice(1);
}

describe('transition table', () => {
  it('has a header and a row for each transition', () => {
    expect(transitionTable([report(), report({ at: '2026-09-22T04:54:00.000Z', from: 'Down', to: 'Online' })])).toBe(
      [
        'TIME                  SERVICE  FROM    TO      AFTER  CLUSTER  SOURCE',
        '2026-09-22 04:53:20Z  GPE_1#2  Online  Down    2h 2m  prod     m1',
        '2026-09-22 04:54:00Z  GPE_1#2  Down    Online  2h 2m  prod     m1',
        '',
      ].join('\n'),
    );
  });

  it('states that it is empty', () => {
    expect(transitionTable([])).toBe('no transitions\n');
  });

  it.each([
    ['1', '2', 'GPE_1#2'],
    ['1', '', 'GPE_1'],
    ['', '2', 'GPE#2'],
    ['', '', 'GPE '],
  ])('names partition %j and replica %j in the notation of the server', (partition, replica, name) => {
    expect(rowLines(report({ partition, replica }))[0]).toContain(`  ${name}`);
  });

  it.each([
    [0.25, '250ms'],
    [1.6, '1s'],
    [59, '59s'],
    [3600, '1h'],
    [266_705, '3d 2h'],
    [0, '0s'],
  ])('writes %d s as %s', (lastedSeconds, text) => {
    expect(rowLines(report({ lastedSeconds }))[0]).toMatch(new RegExp(`Down  ${text} +prod +m1$`));
  });

  it('marks new and forgotten replicas', () => {
    expect(rowLines(report({ from: '', lastedSeconds: null }))[0]).toContain('(new)  Down');
    expect(rowLines(report({ from: 'absent', to: '' }))[0]).toContain('absent  (forgotten)');
  });

  it('groups equal transitions at the same time in one row', () => {
    const many = ['1', '2', '3', '4', '5'].map((replica) => report({ replica, to: 'unobserved' }));
    expect(rowLines(...many)).toEqual([
      '2026-09-22 04:53:20Z  GPE_1#1, GPE_1#2, GPE_1#3 and 2 more  Online  unobserved  2h 2m  prod',
    ]);
    expect(rowLines(...many.slice(0, 4))[0]).toContain('GPE_1#1, GPE_1#2, GPE_1#3, GPE_1#4');
  });

  it('does not group transitions to different states or after different times', () => {
    const some = [report({ replica: '1' }), report({ replica: '2', to: 'Warmup' }), report({ replica: '3' })];
    expect(rowLines(...some)).toHaveLength(2);
    expect(rowLines(report({ replica: '1', lastedSeconds: 1 }), report({ replica: '2' }))[0]).not.toContain('2h 2m');
  });

  it('contains no control characters', () => {
    expect(transitionTable([report({ to: '\u001B[2Jgone' })])).not.toContain('\u001B');
  });
});
