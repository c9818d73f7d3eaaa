import { describe, expect, it } from 'vitest';
import { GuardActs } from '../../src/app/guard-acts.ts';
import { actOf } from '../../src/guard/keeping/action-rows.ts';
import { ok } from '../../src/kernel/result.ts';
import type { Store } from '../../src/kernel/store.ts';
import { memoryStore } from '../../src/runtime/store/memory-store.ts';
import { epoch } from '../guard/listed.ts';
import { FakeClock } from '../support/clock.ts';

async function actsIn(store: Store) {
  const found = await store.find({ table: 'guard_actions', order: ['at', 'uid'] });
  return found.ok ? found.value.map(actOf) : [];
}

/** Acts by somebody whose chance gives another number each time. */
function notedIn(store: Store) {
  let count = 0;
  const random = {
    next: () => {
      count += 1;
      return count / 10;
    },
  };
  const clock = new FakeClock(epoch);
  return { clock, acts: new GuardActs({ store, clock, random }) };
}

describe('what operators do with the guard', () => {
  it('is kept with the time, and without what goes without saying', async () => {
    const store = memoryStore();
    const { clock, acts } = notedIn(store);
    await acts.note({ what: 'pause', by: 'alice', subject: 'operator' });
    await clock.advance(5);
    const abort = { what: 'manual_abort', by: 'bob', cluster: 'prod', subject: 'n1 i1', reason: 'stuck' } as const;
    expect(await acts.note(abort)).toEqual(ok(undefined));
    expect(await actsIn(store)).toEqual([
      { at: epoch, what: 'pause', by: 'alice', cluster: '', subject: 'operator', reason: '' },
      { at: epoch + 5, ...abort },
    ]);
  });

  it('is kept as often as it is done, be it at once', async () => {
    const store = memoryStore();
    const { acts } = notedIn(store);
    await Promise.all([1, 2, 3].map(() => acts.note({ what: 'resume', by: 'alice' })));
    expect(await actsIn(store)).toHaveLength(3);
  });

  it('is told not to be kept where that is so', async () => {
    const store = memoryStore();
    await store.close();
    expect(await notedIn(store).acts.note({ what: 'resume', by: 'alice' })).toMatchObject({ ok: false });
  });
});
