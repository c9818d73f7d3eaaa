import { describe, expect, it } from 'vitest';
import type { CallListener } from '../../../src/graphdb/completed-call.ts';
import { runProbe } from '../../../src/graphdb/endpoints/probe.ts';
import { HeartbeatRows } from '../../../src/graphdb/heartbeat-rows.ts';
import type { ProbeRequest } from '../../../src/model/probe.ts';
import { callerOver, neverAborted } from '../../support/client.ts';
import { FakeClock } from '../../support/clock.ts';
import { completedCall } from '../../support/completed-call.ts';
import { digest } from '../../support/digest.ts';
import { answer, FakePool } from '../../support/fake-pool.ts';

const request: ProbeRequest = {
  graph: 'fraud',
  timeout: 1000,
  task: { kind: 'vertex', vertex: { type: 'Account', id: 'a' }, select: [] },
};
const call = 'GET /restpp/graph/fraud/vertices/Account/a?timeout=1';

function run(reply: object, report: (onCall: CallListener) => void = () => undefined) {
  const clock = new FakeClock();
  const caller = callerOver(new FakePool([call, answer(reply)]), { serverVersion: '4.1', clock });
  const connections = {
    clock,
    caller: (onCall: CallListener) => {
      report(onCall);
      return caller;
    },
    readers: () => [],
    rows: new HeartbeatRows({ owner: undefined, cluster: 'prod', digest }),
  };
  return runProbe(connections, request, neverAborted());
}

const at = (mono: number) => ({ wall: 0, mono });

describe('runProbe', () => {
  it('returns the result of the server, without the envelope of a query', async () => {
    expect((await run({ error: false, results: [{ v_id: 'a' }] })).outcome).toEqual({
      ok: true,
      value: [{ v_id: 'a' }],
    });
    const wrapped = { error: false, results: { error: false, results: [{ top: 1 }] } };
    expect((await run(wrapped)).outcome).toEqual({ ok: true, value: [{ top: 1 }] });
  });

  it.each([{ error: false }, { error: false, results: 7 }])('fails without results: %j', async (reply) => {
    expect((await run(reply)).outcome).toMatchObject({ ok: false, error: { reason: 'body' } });
  });

  it('fails with the error of the server', async () => {
    const { outcome } = await run({ error: true, code: 'REST-60100' });
    expect(outcome).toMatchObject({ ok: false, error: { reason: 'body', code: 'REST-60100' } });
  });

  it('splits the duration into its phases', async () => {
    const { phases } = await run({ error: false, results: [] }, (onCall) => {
      onCall({ ...completedCall, name: 'tokens', started: at(0), ended: at(30) });
      onCall({ ...completedCall, name: 'vertex', started: at(30), ended: at(90), queued: 10 });
      onCall({ ...completedCall, name: 'vertex', started: at(90), ended: at(95) });
    });
    expect(phases).toEqual({ authentication: 30, queue: 10, response: 55 });
  });
});
