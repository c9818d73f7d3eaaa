import { describe, expect, it } from 'vitest';
import type { Caller } from '../../src/graphdb/caller.ts';
import { openCluster } from '../../src/graphdb/connect.ts';
import { type HeardList, overheard } from '../../src/graphdb/overheard.ts';
import { ok } from '../../src/kernel/result.ts';
import { bareCluster, patient } from '../support/client.ts';
import { FakeClock } from '../support/clock.ts';
import { FakeFiles } from '../support/fake-files.ts';
import { answer, FakePool } from '../support/fake-pool.ts';

/** A list whose entries are as odd as they came. */
const odd = { error: false, results: [{ requestid: 'all' }, 7] };

/** The same answer, of which it is known who gave it. */
function from(peer: string, reply: ReturnType<typeof answer>): ReturnType<typeof answer> {
  return reply.ok ? ok({ ...reply.value, peer }) : reply;
}

describe('a caller that is overheard', () => {
  it('tells each JSON answer before its user gets it, with the times of the call', async () => {
    const clock = new FakeClock();
    const told: unknown[] = [];
    const caller: Caller = {
      clock,
      about: (_name, trouble) => trouble,
      text: () => Promise.reject(new Error('not asked')),
      json: () => Promise.reject(new Error('not asked')),
      exchange: () => Promise.reject(new Error('not asked')),
      located: async () => {
        await clock.sleep(300);
        return ok({ json: odd, address: '10.0.0.1:14240', form: 'older' });
      },
    };
    const asked = clock.now();
    const listening = overheard(caller, (heard) => told.push(heard));
    const reply = listening.json('processListAll', {}, patient()).then((value) => [value, told.length]);
    expect(told).toEqual([]);
    await clock.advance(300);
    expect(await reply).toEqual([ok(odd), 1]);
    const origin = { address: '10.0.0.1:14240', form: 'older' };
    expect(told).toEqual([{ answer: ok(odd), ...origin, started: asked, received: clock.now() }]);
  });

  it('is that of the list of all graphs alone, and tells whose it is, good or not', async () => {
    const heard: HeardList[] = [];
    const list = 'GET /restpp/showprocesslistall';
    const pool = new FakePool(
      ['GET /restpp/echo', answer({ error: false, message: 'Hello GSQL' })],
      [list, from('10.0.0.1:14240', answer(odd))],
      [list, from('10.0.0.1:14240', answer({ error: true, message: 'no' }))],
    );
    const ports = { openPool: () => pool, clock: new FakeClock(), random: { next: () => 0 }, files: new FakeFiles() };
    const cluster = openCluster(bareCluster, { bodyLimit: 5000, heard: (one) => heard.push(one) }, ports);
    const { db } = cluster.node({ name: 'm1', url: 'http://m1:14240' });
    await db.echo(patient());
    expect(heard).toEqual([]);
    expect(await db.processListAll(patient())).toEqual(ok([]));
    expect((await db.processListAll(patient())).ok).toBe(false);
    expect(heard.map(({ cluster: name, node }) => `${name}/${node}`)).toEqual(['test/m1', 'test/m1']);
    expect(heard.map(({ address }) => address)).toEqual(['10.0.0.1:14240', '']);
    expect(heard.map((one) => (one.answer.ok ? one.answer.value : one.answer.error.reason))).toEqual([odd, 'body']);
  });
});
