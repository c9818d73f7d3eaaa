import { describe, expect, it } from 'vitest';
import { cli } from '../../src/cli/cli.ts';
import { commands } from '../../src/cli/commands.ts';
import { err, ok } from '../../src/kernel/result.ts';
import type { AbortOutcome } from '../../src/model/guard.ts';
import { abortView, openAbort } from '../app/fake-guard-control.ts';
import { livePorts } from '../support/live-ports.ts';
import { recordingOutput } from '../support/output.ts';
import { freePort } from '../support/ports.ts';
import { answering, serve } from '../support/serving.ts';
import { guarding, said } from './guarding.ts';

const id = '7.RESTPP_1_1.1790000000000.N';
const wanted = ['abort', 'prod/m1', id, '--reason', 'it hurts'];

describe('abort', () => {
  it('asks for the one query, and says that it is gone', async () => {
    const { control, url } = await guarding();
    expect(await said(url, ...wanted)).toEqual({
      code: 0,
      out: 'the abort was sent, and the query is gone\n',
      error: '',
    });
    expect(control.wishes).toEqual([
      { cluster: 'prod', node: 'm1', id, reason: 'it hurts', by: '127.0.0.1', whilePaused: false },
    ]);
  });

  it('goes past a pause where that is said', async () => {
    const { control, url } = await guarding();
    await said(url, ...wanted, '--while-paused');
    expect(control.wishes).toMatchObject([{ whilePaused: true }]);
  });

  it.each<[AbortOutcome, number, string]>([
    ['confirmed', 0, 'is gone'],
    ['vanished', 0, 'answer was lost, and the query is gone'],
    ['finished_first', 0, 'had ended before'],
    ['still_running', 1, 'the query still runs'],
    ['not_aborted', 1, 'aborted nothing'],
    ['unknown', 1, 'is not known'],
    ['refused', 1, 'refused'],
    ['withdrawn', 1, 'was not sent'],
  ])('%s ends with %d: %s', async (outcome, expected, words) => {
    const { control, url } = await guarding();
    control.answer = ok(abortView({ outcome }));
    const { code, out } = await said(url, ...wanted);
    expect([code, out]).toEqual([expected, expect.stringContaining(words)]);
  });

  it('says so where the outcome is not known yet, and prints JSON for scripts', async () => {
    const { control, url } = await guarding();
    control.answer = ok(openAbort);
    expect(await said(url, ...wanted)).toMatchObject({ code: 1, out: expect.stringContaining('not known yet') });
    const { out } = await said(url, ...wanted, '--json');
    const place = { cluster: 'prod', node: 'm1', id, graph: 'fraud', query: 'ring_scan' };
    expect(JSON.parse(out)).toEqual({ ...place, outcome: null });
  });

  it('says why nothing was done', async () => {
    const { control, url } = await guarding();
    control.answer = err({ kind: 'refused', message: 'The guard is paused: say so if it shall be done all the same.' });
    const { code, out, error } = await said(url, ...wanted);
    expect([code, out]).toEqual([1, '']);
    expect(error).toContain('status 409: The guard is paused');
  });

  it('lets a person know that it takes a while', async () => {
    const { url } = await guarding();
    const ports = { ...livePorts(), stderr: recordingOutput(true) };
    await cli([...wanted, '--url', url], commands, ports);
    expect(ports.stderr.text()).toBe('asking for the abort; the outcome may take a while\n');
  });

  it.each([
    [['prod/m1', '--reason', 'x'], 'ID is missing'],
    [['--reason', 'x'], 'CLUSTER/NODE is missing'],
    [['m1', id, '--reason', 'x'], "'m1' is not CLUSTER/NODE"],
    [['a/b/c', id, '--reason', 'x'], "'a/b/c' is not CLUSTER/NODE"],
    [['prod/', id, '--reason', 'x'], "'prod/' is not CLUSTER/NODE"],
    [['prod/m1', id], '--reason is missing'],
    [['prod/m1', id, 'more', '--reason', 'x'], "unexpected argument 'more'"],
  ])('%j is misused: %s', async (args, message) => {
    const { control, url } = await guarding();
    const { code, error } = await said(url, 'abort', ...args);
    expect([code, error]).toEqual([2, expect.stringContaining(message)]);
    expect(control.wishes).toEqual([]);
  });

  it.each(['all', '../../x', `${id}?x`, '%2e'])('%s is no id', async (wrong) => {
    const { control, url } = await guarding();
    expect((await said(url, 'abort', 'prod/m1', wrong, '--reason', 'x')).code).toBe(1);
    expect(control.wishes).toEqual([]);
  });

  it('does not take any answer for an abort, nor silence for one', async () => {
    const { url } = await serve(answering({ body: '{"outcome":"confirmed"}' }));
    expect(await said(url, ...wanted)).toMatchObject({ code: 1, error: expect.stringContaining('is no abort') });
    expect((await said(`http://127.0.0.1:${await freePort()}`, ...wanted)).code).toBe(1);
  });

  it('has a page of help', async () => {
    const ports = livePorts();
    expect(await cli(['abort', '--help'], commands, ports)).toBe(0);
    expect(ports.stdout.text()).toContain('CLUSTER/NODE ID\n');
    expect(ports.stdout.text()).toContain('--while-paused');
  });
});
