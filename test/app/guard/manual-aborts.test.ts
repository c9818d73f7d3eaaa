import { describe, expect, it } from 'vitest';
import type { Refusal } from '../../../src/app/guard/guard-control.ts';
import { ManualAborts, manualAbortRefusal } from '../../../src/app/guard/manual-aborts.ts';
import type { ManualSkipReason, OperatorRequest, SkipReason } from '../../../src/guard/decision/decision.ts';
import type { GuardOutput } from '../../../src/guard/decision/output.ts';
import { err, ok, type Result } from '../../../src/kernel/result.ts';
import type { AbortView } from '../../../src/model/guard.ts';
import { decisionOf } from '../../guard/decision/decisions.ts';
import { GuardSimulation, settingsOf } from '../../guard/decision/guard-simulation.ts';
import { policyOf } from '../../guard/parsed-policy.ts';

type Answer = Result<AbortView, Refusal>;

const entry = { node: 'n1', id: 'i1' };
const request: OperatorRequest = { by: 'alice', reason: 'stuck', whilePaused: false };
const { key } = decisionOf();
const manual = { by: 'alice', reason: 'stuck' };
const target = { ...entry, key, graph: 'fraud', query: 'ring_scan', policy: '' };
const viewed: AbortView = { ...target, manual, notify: [], age: 1000, at: 0 };

function began(changes: Parameters<typeof decisionOf>[0] = { manual: request, policy: '' }): GuardOutput {
  const decision = decisionOf(changes);
  return { kind: 'began', key: decision.key, policy: decision.policy, node: 'n1', decision };
}

function cancelled(skipReason: SkipReason, of = key): GuardOutput {
  return { kind: 'cancelled', ...target, key: of, skipReason };
}

function declined(skipReason: ManualSkipReason, changes: Partial<typeof entry> = {}): GuardOutput {
  return { kind: 'declined', ...entry, skipReason, ...changes };
}

function ended(of = key): GuardOutput {
  return { kind: 'outcome', ...target, key: of, outcome: 'confirmed', pages: false, at: 0 };
}

/** Clients that wait for a manual abort, and the answers that they have received. */
function waiting(count = 1) {
  const aborts = new ManualAborts((of) => (of === key ? viewed : undefined), { now: () => ({ wall: 7, mono: 0 }) });
  const received: Answer[] = [];
  const wait = async (of = entry): Promise<void> => void received.push(await aborts.wait({ ...of, manual }));
  for (let index = 0; index < count; index += 1) void wait();
  const note = async (...outputs: readonly GuardOutput[]): Promise<readonly Answer[]> => {
    aborts.record(outputs);
    await Promise.resolve();
    return [...received];
  };
  return { aborts, received, wait, note };
}

describe('a client that requests a manual abort', () => {
  it('receives a success if the query has ended', async () => {
    const { note } = waiting();
    const gone = { kind: 'declined', ...entry, skipReason: 'not_listed' } as const;
    const [answer] = await note({ ...gone, ended: { graph: 'fraud', query: 'ring_scan', age: 75_000 } });
    expect(answer).toEqual(
      ok({
        ...entry,
        key: '',
        graph: 'fraud',
        query: 'ring_scan',
        policy: '',
        manual,
        notify: [],
        age: 75_000,
        at: 7,
        outcome: 'finished_first',
        endedAt: 7,
      }),
    );
  });

  it('receives the outcome', async () => {
    const { note } = waiting();
    expect(await note(began())).toEqual([]);
    expect(await note(ended())).toEqual([ok(viewed)]);
    expect(await note(ended())).toHaveLength(1);
  });

  it('receives the outcome if all outputs come in one step', async () => {
    const { note } = waiting();
    expect(await note(began(), ended())).toEqual([ok(viewed)]);
  });

  it.each<ManualSkipReason>(['paused', 'not_listed', 'audit', 'no_list', 'in_progress'])(
    'receives the reason why it is declined: %s',
    async (skipReason) => {
      const { note } = waiting();
      expect(await note(declined(skipReason))).toEqual([err(manualAbortRefusal(skipReason))]);
      expect(await note(declined(skipReason))).toHaveLength(1);
    },
  );

  it('receives the reason why it is cancelled', async () => {
    const { note } = waiting();
    expect(await note(began(), cancelled('stopping'))).toEqual([err(manualAbortRefusal('stopping'))]);
  });

  it('receives no output of other requests', async () => {
    const { note } = waiting();
    const other = decisionOf({ key: 'k2', target: { ...decisionOf().target, id: 'i2' }, manual: request });
    await note(declined('paused', { id: 'i2' }), declined('paused', { node: 'n2' }), began(other));
    expect(await note(cancelled('paused', 'k2'), cancelled('paused'), ended())).toEqual([]);
  });

  it('continues to wait if the history does not have the ended decision', async () => {
    const { note } = waiting();
    const unknown = { manual: request, key: 'k2' };
    expect(await note(began(unknown), ended('k2'))).toEqual([]);
  });
});

describe('two clients that request the same abort', () => {
  it('receive the same answer', async () => {
    const { note } = waiting(2);
    expect(await note(began(), ended())).toEqual([ok(viewed), ok(viewed)]);
  });

  it('receive different answers if the second request arrives during the first abort', async () => {
    const { wait, note, received } = waiting();
    await note(began());
    void wait();
    expect(await note(declined('in_progress'))).toEqual([err(manualAbortRefusal('in_progress'))]);
    await note(ended());
    expect(received[1]).toEqual(ok(viewed));
  });

  it('receive the outcome of their own abort if a further one has begun', async () => {
    const { note } = waiting();
    const further = began({ manual: request, policy: '', key: 'k2' });
    expect(await note(began(), further, cancelled('paused', 'k2'), ended())).toEqual([ok(viewed)]);
  });
});

describe('a manual abort of a query that a policy has matched', () => {
  it('ignores the cancelled decision of the policy', async () => {
    const { note } = waiting();
    expect(await note(began({}), cancelled('manual_abort'))).toEqual([]);
    expect(await note(began(), ended())).toEqual([ok(viewed)]);
  });

  it('receives the outcome from a real guard', async () => {
    const simulation = new GuardSimulation(settingsOf([policyOf({ mode: 'enforce', when: { age: '> 12s' } })])).begin();
    const { id } = simulation.start();
    simulation.run(20_000);
    expect(simulation.of('began')).toHaveLength(1);
    const aborts = new ManualAborts((of) => ({ ...viewed, key: of, id }), { now: () => ({ wall: 7, mono: 0 }) });
    const answer = aborts.wait({ node: 'n1', id, manual });
    simulation.send({ kind: 'manual', node: 'n1', id, ...request });
    simulation.run(10_000);
    aborts.record(simulation.outputs);
    expect(await answer).toEqual(ok({ ...viewed, key: simulation.of('outcome')[0]?.key, id }));
    expect(simulation.of('cancelled')).toMatchObject([{ skipReason: 'manual_abort' }]);
  });
});

describe('the stop of the daemon', () => {
  const message =
    'this process no longer guards the cluster: it stops, or the cluster was moved to another replica or removed; the audit will contain the outcome';

  it('answers all waiting clients', async () => {
    const { aborts, wait, note } = waiting(2);
    await note(began());
    void wait({ ...entry, id: 'i2' });
    aborts.close();
    expect(await note()).toEqual([1, 2, 3].map(() => err({ kind: 'refused', message })));
  });

  it('answers clients that connect after it', async () => {
    const { aborts } = waiting(0);
    aborts.close();
    expect(await aborts.wait({ ...entry, manual })).toEqual(err({ kind: 'refused', message }));
  });
});
