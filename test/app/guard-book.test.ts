import { describe, expect, it } from 'vitest';
import { rowsOf } from '../../src/app/guard-book.ts';
import type { GuardOutput } from '../../src/guard/decision/output.ts';
import { policyHash } from '../../src/guard/keeping/policy-hash.ts';
import { recentAborts } from '../../src/guard/keeping/read-aborts.ts';
import { digest } from '../../src/runtime/digest.ts';
import { memoryStore } from '../../src/runtime/store/memory-store.ts';
import { settingsOf, World } from '../guard/decision/world.ts';
import { rowOf } from '../guard/keeping/kept-aborts.ts';
import { at, epoch } from '../guard/listed.ts';
import { policyOf } from '../guard/policy-of.ts';

const policy = policyOf({ mode: 'enforce', when: { age: '> 12s' }, notify: ['oncall'] });
const guard = settingsOf([policyOf({ name: 'other' }), policy]);
const parts = { cluster: 'prod', guard, digest, now: at(7) };

/** All that a guard tells until its one query is aborted. */
function lived(ask: (world: World, id: string) => void = () => undefined): readonly GuardOutput[] {
  const world = new World(guard).begin();
  const { id } = world.start();
  world.run(5000);
  ask(world, id);
  return world.run(60_000).outputs;
}

describe('the book of the guard', () => {
  it('has a row for the intent and one for the outcome', () => {
    const outputs = lived();
    const rows = rowsOf(outputs, parts);
    expect(rows.map(({ table }) => table)).toEqual(['guard_intents', 'guard_outcomes']);
    const [intent, outcome] = rows.map(rowOf);
    const { at: when } = outputs.find((output) => output.kind === 'outcome') ?? { at: undefined };
    expect(intent).toMatchObject({
      cluster: 'prod',
      policy: 'runaway',
      policy_hash: policyHash(policy, digest),
      mode: 'enforce',
      notify: '["oncall"]',
      manual_by: null,
    });
    expect(outcome).toEqual({ cluster: 'prod', key: intent?.key, at: when, outcome: 'confirmed', doubt: null });
  });

  it('can be read again as what rules are told', async () => {
    const store = memoryStore();
    await store.commit(rowsOf(lived(), parts));
    const read = await recentAborts(store, 'prod', epoch);
    expect(read.ok && read.value).toMatchObject([{ node: 'n1', policy: 'runaway', outcome: 'confirmed' }]);
  });

  it('says who asked by hand', () => {
    const byHand = { by: 'alice', reason: 'stuck', whilePaused: false };
    const rows = rowsOf(
      lived((world, id) => world.tell({ kind: 'manual', node: 'n1', id, ...byHand })),
      parts,
    );
    expect(rows.map(rowOf)[0]).toMatchObject({
      policy: '',
      policy_hash: '',
      mode: 'manual',
      manual_by: 'alice',
      manual_reason: 'stuck',
      notify: '[]',
    });
  });

  it('has the intent of a policy that is gone by now', () => {
    const [intent] = rowsOf(lived(), { ...parts, guard: settingsOf([]) }).map(rowOf);
    expect(intent).toMatchObject({ policy: 'runaway', policy_hash: '' });
  });

  it('says why an intent was withdrawn', () => {
    const about = { key: 'k', policy: 'runaway', node: 'n1', pages: false, at: epoch };
    const [row] = rowsOf([{ kind: 'outcome', ...about, outcome: 'withdrawn', doubt: 'paused' }], parts).map(rowOf);
    expect(row).toMatchObject({ key: 'k', outcome: 'withdrawn', doubt: 'paused' });
  });

  it('has what stands: breakers and relief', () => {
    const breaker = 'same_query fraud ring_scan';
    const rows = rowsOf(
      [
        { kind: 'breaker', breaker, isOpen: true },
        { kind: 'relief', policy: 'runaway', node: 'n1', aborts: 2 },
      ],
      parts,
    );
    expect(rows.map(rowOf)).toEqual([
      { cluster: 'prod', kind: 'breaker', name: breaker, value: '', at: epoch + 7 },
      { cluster: 'prod', kind: 'relief', name: 'runaway', value: '2', at: epoch + 7 },
    ]);
    const closing = rowsOf([{ kind: 'breaker', breaker, isOpen: false }], parts);
    expect(closing).toEqual([{ table: 'guard_standing', drop: { cluster: 'prod', kind: 'breaker', name: breaker } }]);
  });

  it('has nothing of what only observes', () => {
    const world = new World({ ...guard, mode: 'observe' }).begin();
    world.start();
    world.run(60_000);
    expect(world.of('would_abort')).toHaveLength(1);
    expect(rowsOf(world.outputs, parts)).toEqual([]);
  });
});
