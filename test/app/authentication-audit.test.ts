import { describe, expect, it } from 'vitest';
import { AuthenticationAudit } from '../../src/app/authentication-audit.ts';
import { parseAction } from '../../src/guard/storage/operator-action-rows.ts';
import { memoryStore } from '../../src/runtime/store/local-store.ts';
import { FakeClock } from '../support/clock.ts';
import { recordingLogger } from '../support/logger.ts';

function setUp(store = memoryStore()) {
  const clock = new FakeClock();
  const log = recordingLogger();
  let chance = 0;
  const random = {
    next: () => {
      chance += 1e-6;
      return chance;
    },
  };
  const audit = new AuthenticationAudit({ store, clock, log, random });
  const entries = async () => {
    const rows = await store.find({ table: 'guard_actions', order: ['at', 'actor'] });
    return rows.ok ? rows.value.map(parseAction) : rows;
  };
  return { store, clock, log, audit, entries };
}

describe('the audit of failed authentications', () => {
  it('names the address and the number of requests', async () => {
    const { clock, audit, entries } = setUp();
    const at = clock.now().wall;
    await audit.add({ address: '10.0.0.1', requests: 1 });
    await audit.add({ address: '2001:db8::1', requests: 24 });
    const common = { at, what: 'authentication_failed', cluster: '', subject: '' };
    expect(await entries()).toEqual([
      { ...common, by: '10.0.0.1', reason: '1 request with wrong credentials' },
      { ...common, by: '2001:db8::1', reason: '24 requests with wrong credentials' },
    ]);
  });

  it('grows by at most ten entries per hour, for any number of addresses', async () => {
    const { clock, audit, entries } = setUp();
    const flood = async () => {
      for (let at = 0; at < 500; at += 1) await audit.add({ address: `10.0.1.${at}`, requests: 1 });
    };
    await flood();
    await clock.advance(3_599_999);
    await flood();
    expect(await entries()).toHaveLength(10);
    await clock.advance(1);
    await flood();
    expect(await entries()).toHaveLength(20);
  });

  it('logs an entry that cannot be stored', async () => {
    const { store, audit, log } = setUp();
    await store.close();
    await audit.add({ address: '10.0.0.1', requests: 1 });
    expect(log.lines).toMatchObject([{ level: 'error', message: 'audit write failed' }]);
  });
});
