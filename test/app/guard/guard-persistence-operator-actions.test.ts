import { describe, expect, it } from 'vitest';
import { OperatorActionLog } from '../../../src/app/guard/guard-persistence.ts';
import { parseAction } from '../../../src/guard/storage/operator-action-rows.ts';
import { ok } from '../../../src/kernel/result.ts';
import type { Store } from '../../../src/kernel/store.ts';
import { memoryStore } from '../../../src/runtime/store/local-store.ts';
import { epoch } from '../../guard/observations.ts';
import { FakeClock } from '../../support/clock.ts';

async function actsIn(store: Store) {
  const found = await store.find({ table: 'guard_actions', order: ['at', 'uid'] });
  return found.ok ? found.value.map(parseAction) : [];
}

/** Operator actions with another random number for each. */
function notedIn(store: Store) {
  let count = 0;
  const random = {
    next: () => {
      count += 1;
      return count / 10;
    },
  };
  const clock = new FakeClock(epoch);
  return { clock, acts: new OperatorActionLog({ store, clock, random }) };
}

describe('an operator action', () => {
  it('is stored with the time, and without default values', async () => {
    const store = memoryStore();
    const { clock, acts } = notedIn(store);
    await acts.append({ what: 'pause', by: 'alice', subject: 'operator' });
    await clock.advance(5);
    const abort = { what: 'manual_abort', by: 'bob', cluster: 'prod', subject: 'n1 i1', reason: 'stuck' } as const;
    expect(await acts.append(abort)).toEqual(ok(undefined));
    expect(await actsIn(store)).toEqual([
      { at: epoch, what: 'pause', by: 'alice', cluster: '', subject: 'operator', reason: '' },
      { at: epoch + 5, ...abort },
    ]);
  });

  it('is stored each time, even at the same instant', async () => {
    const store = memoryStore();
    const { acts } = notedIn(store);
    await Promise.all([1, 2, 3].map(() => acts.append({ what: 'resume', by: 'alice' })));
    expect(await actsIn(store)).toHaveLength(3);
  });

  it('is reported as not stored if the store fails', async () => {
    const store = memoryStore();
    await store.close();
    expect(await notedIn(store).acts.append({ what: 'resume', by: 'alice' })).toMatchObject({ ok: false });
  });
});
