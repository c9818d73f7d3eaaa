import { describe, expect, it } from 'vitest';
import { ok } from '../../src/kernel/result.ts';
import { callerOver, factsOf, neverAborted } from '../support/client.ts';
import { answer, FakePool } from '../support/fake-pool.ts';

const failToParse = () => Promise.reject(new Error('broken'));

describe('the memory of a reply', () => {
  it.each([
    ['is a fact', answer({ error: false, results: [] })],
    ['is an error', answer({ error: true })],
    ['has another format', answer({ other: 1 })],
    ['is not JSON', answer('{"error":')],
    ['is not UTF-8', answer(new Uint8Array([0x7b, 0xff]))],
    ['is HTML', answer('<html></html>')],
    ['is empty', answer('')],
    ['is a rejection', answer({ error: true, code: 'REST-10016' }, 403)],
    ['exceeds a limit', answer('['.repeat(100))],
  ])('is released when it was parsed: it %s', async (_what, reply) => {
    const released: string[] = [];
    const counted = ok({ ...factsOf(reply), release: () => void released.push('once') });
    const pool = new FakePool(['GET /restpp/echo', counted]);
    await callerOver(pool, { serverVersion: '4.2' }).json('echo', {}, neverAborted());
    expect(released).toEqual(['once']);
  });

  it('is released after its text was parsed, also if that fails, and at once for a reply that has none', async () => {
    const steps: string[] = [];
    const reply = (given: ReturnType<typeof answer>) =>
      ok({ ...factsOf(given), release: () => void steps.push('released') });
    const pool = new FakePool(
      ['GET /informant/metrics', reply(answer('a 1\n'))],
      ['GET /informant/metrics', reply(answer('a 2\n'))],
      ['GET /informant/metrics', reply(answer('', 500))],
    );
    const caller = callerOver(pool, { serverVersion: '4.2' });
    const parse = async () => {
      steps.push('parsed');
      return ok(1);
    };
    await caller.text({ name: 'informantMetrics' }, parse, neverAborted());
    await expect(caller.text({ name: 'informantMetrics' }, failToParse, neverAborted())).rejects.toThrow('broken');
    await caller.text({ name: 'informantMetrics' }, parse, neverAborted());
    expect(steps).toEqual(['parsed', 'released', 'released', 'released']);
  });
});
