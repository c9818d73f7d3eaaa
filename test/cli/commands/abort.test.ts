import { describe, expect, it } from 'vitest';
import { runCli } from '../../../src/cli/cli.ts';
import { commands } from '../../../src/cli/commands/all.ts';
import { err, ok } from '../../../src/kernel/result.ts';
import type { AbortOutcome } from '../../../src/model/guard.ts';
import { abortView, pendingAbort } from '../../app/fake-guard-control.ts';
import { freePort } from '../../support/free-port.ts';
import { livePorts } from '../../support/live-ports.ts';
import { recordingOutput } from '../../support/output.ts';
import { fixedReply, serve } from '../../support/served-listener.ts';
import { runCommand, startGuardApi } from '../guard-api.ts';

const id = '7.RESTPP_1_1.1790000000000.N';
const wanted = ['abort', 'prod/m1', id, '--reason', 'it hurts'];

describe('abort', () => {
  it('requests the abort of one query, and reports that the query ended', async () => {
    const { control, url } = await startGuardApi();
    expect(await runCommand(url, ...wanted)).toEqual({
      code: 0,
      out: 'query aborted\n',
      error: '',
    });
    expect(control.abortRequests).toEqual([
      { cluster: 'prod', node: 'm1', id, reason: 'it hurts', by: 'local', whilePaused: false },
    ]);
  });

  it('ignores a pause with --while-paused', async () => {
    const { control, url } = await startGuardApi();
    await runCommand(url, ...wanted, '--while-paused');
    expect(control.abortRequests).toMatchObject([{ whilePaused: true }]);
  });

  it.each<[AbortOutcome, number, string]>([
    ['confirmed', 0, 'query aborted'],
    ['vanished', 0, 'query ended after the abort request; the response to the request was lost'],
    ['finished_first', 0, 'query had ended before the abort request'],
    ['still_running', 1, 'query still running after the abort request'],
    ['not_aborted', 1, 'query still running: the server aborted no query'],
    ['unknown', 1, 'abort request sent, result unknown: the node returns no process list'],
    ['refused', 1, 'abort request rejected by the server'],
    ['withdrawn', 1, 'abort request not sent: the last check before the request failed'],
  ])('%s ends with %d: %s', async (outcome, expected, words) => {
    const { control, url } = await startGuardApi();
    control.abortResult = ok(abortView({ outcome }));
    const { code, out } = await runCommand(url, ...wanted);
    expect([code, out]).toEqual([expected, expect.stringContaining(words)]);
  });

  it('reports an unknown outcome, and prints JSON with --json', async () => {
    const { control, url } = await startGuardApi();
    control.abortResult = ok(pendingAbort);
    expect(await runCommand(url, ...wanted)).toMatchObject({ code: 1, out: expect.stringContaining('not known yet') });
    const { out } = await runCommand(url, ...wanted, '--json');
    const query = { cluster: 'prod', node: 'm1', id, graph: 'fraud', query: 'ring_scan' };
    const decision = { key: 'k1', policy: 'runaway', manual: null, ageSeconds: 75, grantedTimeoutSeconds: null };
    const at = '2026-09-22T04:53:20.000Z';
    expect(JSON.parse(out)).toEqual({ ...query, ...decision, at, outcome: null, endedAt: null });
  });

  it('prints the reason of a rejection', async () => {
    const { control, url } = await startGuardApi();
    control.abortResult = err({
      kind: 'refused',
      message: 'The guard is paused: say so if it shall be done all the same.',
    });
    const { code, out, error } = await runCommand(url, ...wanted);
    expect([code, out]).toEqual([1, '']);
    expect(error).toContain('graphwarden: The guard is paused');
  });

  it('prints progress in a terminal', async () => {
    const { url } = await startGuardApi();
    const ports = { ...livePorts(), stderr: recordingOutput(true) };
    await runCli([...wanted, '--url', url], commands, ports);
    expect(ports.stderr.text()).toBe('waiting for the result of the abort\n');
  });

  it.each([
    [['prod/m1', '--reason', 'x'], "missing required argument 'ID'"],
    [['--reason', 'x'], "missing required argument 'CLUSTER/NODE'"],
    [['m1', id, '--reason', 'x'], "'m1' is not CLUSTER/NODE, such as prod/m2"],
    [['a/b/c', id, '--reason', 'x'], "'a/b/c' is not CLUSTER/NODE, such as prod/m2"],
    [['prod/', id, '--reason', 'x'], "'prod/' is not CLUSTER/NODE, such as prod/m2"],
    [['prod/m1', id], 'required option --reason TEXT not specified'],
    [
      ['prod/m1', id, 'more', '--reason', 'x'],
      `too many arguments for 'abort'. Expected 2 arguments but got 3: prod/m1, ${id}, more.`,
    ],
  ])('%j is a usage error: %s', async (args, message) => {
    const { control, url } = await startGuardApi();
    const { code, error } = await runCommand(url, 'abort', ...args);
    expect([code, error]).toEqual([2, expect.stringContaining(message)]);
    expect(control.abortRequests).toEqual([]);
  });

  it.each(['all', '../../x', `${id}?x`, '%2e'])('%s is not an id', async (wrong) => {
    const { control, url } = await startGuardApi();
    expect((await runCommand(url, 'abort', 'prod/m1', wrong, '--reason', 'x')).code).toBe(1);
    expect(control.abortRequests).toEqual([]);
  });

  it('fails on an unexpected reply and on a missing one', async () => {
    const { url } = await serve(fixedReply({ body: '{"outcome":"confirmed"}' }));
    expect(await runCommand(url, ...wanted)).toMatchObject({
      code: 1,
      error: expect.stringContaining('unexpected response of the daemon at key: '),
    });
    expect((await runCommand(`http://127.0.0.1:${await freePort()}`, ...wanted)).code).toBe(1);
  });

  it('has a help page', async () => {
    const ports = livePorts();
    expect(await runCli(['abort', '--help'], commands, ports)).toBe(0);
    expect(ports.stdout.text()).toContain('Usage: graphwarden abort [options] <CLUSTER/NODE> <ID>\n');
    expect(ports.stdout.text()).toContain('--while-paused');
  });
});
