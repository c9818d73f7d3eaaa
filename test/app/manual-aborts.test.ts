import { describe, expect, it } from 'vitest';
import type { Refusal } from '../../src/app/guard-control.ts';
import { ManualAborts } from '../../src/app/manual-aborts.ts';
import { wishRefusal } from '../../src/app/wish-refusal.ts';
import type { ByHand, Doubt } from '../../src/guard/decision/decision.ts';
import type { GuardOutput } from '../../src/guard/decision/output.ts';
import type { WishDoubt } from '../../src/guard/decision/wish.ts';
import { err, ok, type Result } from '../../src/kernel/result.ts';
import type { AbortView } from '../../src/model/guard.ts';
import { decisionOf } from '../guard/decision/decisions.ts';
import { settingsOf, World } from '../guard/decision/world.ts';
import { policyOf } from '../guard/policy-of.ts';

type Answer = Result<AbortView, Refusal>;

const entry = { node: 'n1', id: 'i1' };
const byHand: ByHand = { by: 'alice', reason: 'stuck', whilePaused: false };
const { key } = decisionOf();
const manual = { by: 'alice', reason: 'stuck' };
const target = { ...entry, key, graph: 'fraud', query: 'ring_scan', policy: '' };
const viewed: AbortView = { ...target, manual, notify: [], age: 1000, at: 0 };

function began(changes: Parameters<typeof decisionOf>[0] = { manual: byHand, policy: '' }): GuardOutput {
  const decision = decisionOf(changes);
  return { kind: 'began', key: decision.key, policy: decision.policy, node: 'n1', decision };
}

function cancelled(doubt: Doubt, of = key): GuardOutput {
  return { kind: 'cancelled', key: of, policy: '', node: 'n1', doubt };
}

function declined(doubt: WishDoubt, changes: Partial<typeof entry> = {}): GuardOutput {
  return { kind: 'declined', ...entry, doubt, ...changes };
}

function ended(of = key): GuardOutput {
  return { kind: 'outcome', key: of, policy: '', node: 'n1', outcome: 'confirmed', pages: false, at: 0 };
}

/** Those who wait, and what they have heard by now. */
function waiting(count = 1) {
  const aborts = new ManualAborts((of) => (of === key ? viewed : undefined));
  const heard: Answer[] = [];
  const wait = async (of = entry): Promise<void> => void heard.push(await aborts.wait(of));
  for (let index = 0; index < count; index += 1) void wait();
  const note = async (...outputs: readonly GuardOutput[]): Promise<readonly Answer[]> => {
    aborts.note(outputs);
    await Promise.resolve();
    return [...heard];
  };
  return { aborts, heard, wait, note };
}

describe('who asks for an abort by hand', () => {
  it('hears how it ended', async () => {
    const { note } = waiting();
    expect(await note(began())).toEqual([]);
    expect(await note(ended())).toEqual([ok(viewed)]);
    expect(await note(ended())).toHaveLength(1);
  });

  it('hears it even where all of it comes at once', async () => {
    const { note } = waiting();
    expect(await note(began(), ended())).toEqual([ok(viewed)]);
  });

  it.each<WishDoubt>(['paused', 'not_listed', 'audit', 'no_list', 'under_way'])(
    'hears why it is declined: %s',
    async (doubt) => {
      const { note } = waiting();
      expect(await note(declined(doubt))).toEqual([err(wishRefusal(doubt))]);
      expect(await note(declined(doubt))).toHaveLength(1);
    },
  );

  it('hears why it is given up', async () => {
    const { note } = waiting();
    expect(await note(began(), cancelled('stopping'))).toEqual([err(wishRefusal('stopping'))]);
  });

  it('hears nothing of what is about others', async () => {
    const { note } = waiting();
    const other = decisionOf({ key: 'k2', target: { ...decisionOf().target, id: 'i2' }, manual: byHand });
    await note(declined('paused', { id: 'i2' }), declined('paused', { node: 'n2' }), began(other));
    expect(await note(cancelled('paused', 'k2'), cancelled('paused'), ended())).toEqual([]);
  });

  it('waits on where nothing is known of what ended', async () => {
    const { note } = waiting();
    const unknown = { manual: byHand, key: 'k2' };
    expect(await note(began(unknown), ended('k2'))).toEqual([]);
  });
});

describe('two who ask for the same', () => {
  it('hear the same', async () => {
    const { note } = waiting(2);
    expect(await note(began(), ended())).toEqual([ok(viewed), ok(viewed)]);
  });

  it('are told apart where the second comes when the first is under way', async () => {
    const { wait, note, heard } = waiting();
    await note(began());
    void wait();
    expect(await note(declined('under_way'))).toEqual([err(wishRefusal('under_way'))]);
    await note(ended());
    expect(heard[1]).toEqual(ok(viewed));
  });

  it('hear of their own where a further one has begun', async () => {
    const { note } = waiting();
    const further = began({ manual: byHand, policy: '', key: 'k2' });
    expect(await note(began(), further, cancelled('paused', 'k2'), ended())).toEqual([ok(viewed)]);
  });
});

describe('a wish for what a policy has decided upon', () => {
  it('takes no notice of what becomes of that', async () => {
    const { note } = waiting();
    expect(await note(began({}), cancelled('by_hand'))).toEqual([]);
    expect(await note(began(), ended())).toEqual([ok(viewed)]);
  });

  it('goes the way of the guard itself', async () => {
    const world = new World(settingsOf([policyOf({ mode: 'enforce', when: { age: '> 12s' } })])).begin();
    const { id } = world.start();
    world.run(20_000);
    expect(world.of('began')).toHaveLength(1);
    const aborts = new ManualAborts((of) => ({ ...viewed, key: of, id }));
    const answer = aborts.wait({ node: 'n1', id });
    world.tell({ kind: 'manual', node: 'n1', id, ...byHand });
    world.run(10_000);
    aborts.note(world.outputs);
    expect(await answer).toEqual(ok({ ...viewed, key: world.of('outcome')[0]?.key, id }));
    expect(world.of('cancelled')).toMatchObject([{ doubt: 'by_hand' }]);
  });
});

describe('the end', () => {
  const message = 'the daemon ends; look it up in the audit';

  it('is told to all who wait', async () => {
    const { aborts, wait, note } = waiting(2);
    await note(began());
    void wait({ ...entry, id: 'i2' });
    aborts.end();
    expect(await note()).toEqual([1, 2, 3].map(() => err({ kind: 'refused', message })));
  });

  it('is told to whoever comes after it', async () => {
    const { aborts } = waiting(0);
    aborts.end();
    expect(await aborts.wait(entry)).toEqual(err({ kind: 'refused', message }));
  });
});
