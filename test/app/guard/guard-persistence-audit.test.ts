import { describe, expect, it } from 'vitest';
import { auditChanges } from '../../../src/app/guard/guard-persistence.ts';
import type { GuardOutput } from '../../../src/guard/decision/output.ts';
import { loadRecentAborts, policyHash } from '../../../src/guard/storage/abort-rows.ts';
import { skipReasonColumn } from '../../../src/guard/storage/columns.ts';
import { memoryStore } from '../../../src/runtime/store/local-store.ts';
import { digest } from '../../../src/runtime/system-ports.ts';
import { GuardSimulation, settingsOf } from '../../guard/decision/guard-simulation.ts';
import { at, epoch } from '../../guard/observations.ts';
import { policyOf } from '../../guard/parsed-policy.ts';
import { rowOf } from '../../guard/storage/stored-aborts.ts';

const policy = policyOf({ mode: 'enforce', when: { age: '> 12s' }, notify: ['oncall'] });
const guard = settingsOf([policyOf({ name: 'other' }), policy]);
const parts = { cluster: 'prod', guard, digest, now: at(7) };

/** Returns all outputs of a guard until its one query is aborted. */
function lived(act: (simulation: GuardSimulation, id: string) => void = () => undefined): readonly GuardOutput[] {
  const simulation = new GuardSimulation(guard).begin();
  const { id } = simulation.start();
  simulation.run(5000);
  act(simulation, id);
  return simulation.run(60_000).outputs;
}

describe('the guard audit', () => {
  it('has a row for the intent and one for the outcome', () => {
    const outputs = lived();
    const rows = auditChanges(outputs, parts);
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
    expect(outcome).toEqual({
      cluster: 'prod',
      key: intent?.key,
      at: when,
      outcome: 'confirmed',
      [skipReasonColumn]: null,
    });
  });

  it('is restored as the aborts that rules evaluate', async () => {
    const store = memoryStore();
    await store.commit(auditChanges(lived(), parts));
    const read = await loadRecentAborts(store, 'prod', epoch);
    expect(read.ok && read.value).toMatchObject([{ node: 'n1', policy: 'runaway', outcome: 'confirmed' }]);
  });

  it('has the operator of a manual abort', () => {
    const manual = { by: 'alice', reason: 'stuck', whilePaused: false };
    const rows = auditChanges(
      lived((simulation, id) => simulation.send({ kind: 'manual', node: 'n1', id, ...manual })),
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

  it('has the intent of a policy that is removed', () => {
    const [intent] = auditChanges(lived(), { ...parts, guard: settingsOf([]) }).map(rowOf);
    expect(intent).toMatchObject({ policy: 'runaway', policy_hash: '' });
  });

  it('has the reason why an intent was withdrawn', () => {
    const target = { key: 'k', policy: 'runaway', node: 'n1', id: '7', graph: 'fraud' };
    const about = { ...target, pages: false, at: epoch };
    const [row] = auditChanges([{ kind: 'outcome', ...about, outcome: 'withdrawn', skipReason: 'paused' }], parts).map(
      rowOf,
    );
    expect(row).toMatchObject({ key: 'k', outcome: 'withdrawn', [skipReasonColumn]: 'paused' });
  });

  it('has the circuit breakers and the relief', () => {
    const breaker = 'same_query fraud ring_scan';
    const rows = auditChanges(
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
    const closing = auditChanges([{ kind: 'breaker', breaker, isOpen: false }], parts);
    expect(closing).toEqual([
      { table: 'guard_standing', drop: { cluster: 'prod', kind: 'breaker', name: breaker } },
      {
        table: 'guard_standing',
        put: { cluster: 'prod', kind: 'breaker_reset', name: breaker, value: '', at: epoch + 7 },
      },
    ]);
  });

  it('has no row of an observing policy', () => {
    const simulation = new GuardSimulation({ ...guard, mode: 'observe' }).begin();
    simulation.start();
    simulation.run(60_000);
    expect(simulation.of('would_abort')).toHaveLength(1);
    expect(auditChanges(simulation.outputs, parts)).toEqual([]);
  });
});
