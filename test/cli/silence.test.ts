import { beforeEach, describe, expect, it } from 'vitest';
import type { Silence } from '../../src/alert/alerting.ts';
import { alertRoutes } from '../../src/app/alert-routes.ts';
import { createHandler } from '../../src/app/routes.ts';
import { cli } from '../../src/cli/cli.ts';
import { commands } from '../../src/cli/commands.ts';
import { ok } from '../../src/kernel/result.ts';
import { systemRandom } from '../../src/runtime/random.ts';
import { livePorts } from '../support/live-ports.ts';
import { recordingLogger } from '../support/logger.ts';
import { answering, serve } from '../support/serving.ts';

const hour = 3_600_000;
const why = ['--author', 'alice', '--reason', 'new disks'];
const wall = Date.parse('2026-01-31T12:00:00Z');

let silences: Silence[] = [];
beforeEach(() => {
  silences = [];
});

/** The address of a daemon that keeps silences. */
async function daemon(): Promise<string> {
  const desk = {
    log: recordingLogger(),
    random: systemRandom,
    config: () => ({ operators: [] }),
    rules: [],
    alerts: () => [],
    silences: () => silences,
    silence: async (silence: Silence) => {
      silences.push(silence);
      return ok(undefined);
    },
    unsilence: async (id: string) => {
      const known = silences.some((silence) => silence.id === id);
      silences = silences.filter((silence) => silence.id !== id);
      return ok(known);
    },
    now: () => ({ wall, mono: 0 }),
  };
  return (await serve(createHandler(alertRoutes(desk), () => ''))).url;
}

async function said(url: string, ...args: readonly string[]) {
  const ports = livePorts();
  const code = await cli(['silence', ...args, '--url', url], commands, ports);
  return { code, out: ports.stdout.text(), error: ports.stderr.text() };
}

describe('silence add', () => {
  it('silences what has all the labels', async () => {
    const args = ['severity=warning', 'node=m1', 'node=m2', 'graph=a=b'];
    const { code, out, error } = await said(await daemon(), 'add', ...args, '--for', '2h', ...why);
    expect([code, error]).toEqual([0, '']);
    expect(silences).toMatchObject([
      {
        match: { severity: ['warning'], node: ['m1', 'm2'], graph: ['a=b'] },
        startsAt: wall,
        endsAt: wall + 2 * hour,
        author: 'alice',
        reason: 'new disks',
      },
    ]);
    expect(out).toBe(`silence ${silences[0]?.id} ends at 2026-01-31T14:00:00.000Z\n`);
  });

  it('may begin later, and end at a moment', async () => {
    const when = ['--from', '2026-01-31T13:00:00Z', '--until', '2026-01-31T15:00:00+01:00'];
    const { out } = await said(await daemon(), 'add', 'node=m1', ...when, ...why, '--json');
    expect(silences).toMatchObject([{ startsAt: wall + hour, endsAt: wall + 2 * hour }]);
    expect(JSON.parse(out)).toMatchObject({ id: silences[0]?.id, endsAt: '2026-01-31T14:00:00.000Z' });
  });

  it('is by the user who asks, where nobody else is named', async () => {
    const environment = { GRAPHWARDEN_USER: 'bob', GRAPHWARDEN_PASSWORD: 'x' };
    const ports = { ...livePorts(), environment };
    const args = ['silence', 'add', 'node=m1', '--for', '1h', '--reason', 'x', '--url', await daemon()];
    expect(await cli(args, commands, ports)).toBe(0);
    expect(silences[0]?.author).toBe('bob');
  });

  it.each([
    [['node=m1', ...why], 'either --for or --until is wanted'],
    [['node=m1', '--for', '1h', '--until', '2026-01-31T15:00:00Z', ...why], 'either --for or --until is wanted'],
    [['node=m1', '--for', 'ever', ...why], '--for wants a time such as 2h'],
    [['node=m1', '--for', '1h', '--reason', 'x'], '--author is missing'],
    [['node=m1', '--for', '1h', '--author', 'x'], '--reason is missing'],
    [['--for', '1h', ...why], 'LABEL=VALUE is missing'],
    [['node', '--for', '1h', ...why], "'node' is not LABEL=VALUE"],
    [['=m1', '--for', '1h', ...why], "'=m1' is not LABEL=VALUE"],
  ])('%j is misused: %s', async (args, message) => {
    const { code, error } = await said(await daemon(), 'add', ...args);
    expect(code).toBe(2);
    expect(error).toContain(message);
    expect(silences).toEqual([]);
  });

  it.each([
    [['severity=page', '--for', '1h'], 'no severity'],
    [['node=m1', '--for', '2y'], '--for'],
    [['node=m1', '--for', '400d'], 'more than a year'],
    [['node=m1', '--until', 'tomorrow'], 'no moment'],
  ])('%j is no silence: %s', async (args, message) => {
    const { code, error } = await said(await daemon(), 'add', ...args, ...why);
    expect(code).not.toBe(0);
    expect(error).toContain(message);
    expect(silences).toEqual([]);
  });

  it('does not take any answer for a silence', async () => {
    const { url } = await serve(answering({ body: '{}' }));
    const { code, error } = await said(url, 'add', 'node=m1', '--for', '1h', ...why);
    expect([code, error]).toEqual([1, 'graphwarden: the answer is no silence\n']);
  });
});

describe('silence list', () => {
  const silence: Silence = {
    id: 's1',
    match: { node: ['m1'] },
    startsAt: wall,
    endsAt: wall + hour,
    author: 'alice',
    reason: 'new disks',
  };

  it('shows what holds', async () => {
    silences = [silence];
    const { code, out } = await said(await daemon(), 'list');
    expect(code).toBe(0);
    expect(out).toMatch(/^ID .*\ns1 .* 2026-01-31 13:00:00Z {2}alice {3}node=m1 {2}new disks\n$/);
  });

  it('is JSON for scripts', async () => {
    silences = [silence];
    const { out } = await said(await daemon(), 'list', '--json');
    expect(JSON.parse(out)).toEqual([
      { ...silence, startsAt: '2026-01-31T12:00:00.000Z', endsAt: '2026-01-31T13:00:00.000Z' },
    ]);
  });

  it('says so where there is none', async () => {
    expect((await said(await daemon(), 'list')).out).toBe('no silences\n');
  });
});

describe('silence end', () => {
  it('ends it', async () => {
    const url = await daemon();
    await said(url, 'add', 'node=m1', '--for', '2h', ...why);
    const id = silences[0]?.id ?? '';
    expect(await said(url, 'end', id)).toEqual({ code: 0, out: `silence ${id} is over\n`, error: '' });
    expect(silences).toEqual([]);
  });

  it('says so where there is none of that name', async () => {
    const { code, error } = await said(await daemon(), 'end', 'a b/c');
    expect(code).toBe(1);
    expect(error).toContain('404');
  });
});
