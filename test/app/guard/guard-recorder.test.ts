import { describe, expect, it } from 'vitest';
import type { DecisionView } from '../../../src/app/guard/guard-control.ts';
import { GuardRecorder } from '../../../src/app/guard/guard-recorder.ts';
import type { GuardOutput } from '../../../src/guard/decision/output.ts';
import { initialState } from '../../../src/guard/decision/state.ts';
import { guardSection } from '../../../src/guard/guard-section.ts';
import { err, ok, type Result } from '../../../src/kernel/result.ts';
import type { StoreChange } from '../../../src/kernel/store.ts';
import { digest } from '../../../src/runtime/system-ports.ts';
import { epoch } from '../../guard/observations.ts';
import { FakeClock } from '../../support/clock.ts';
import { recordingLogger } from '../../support/logger.ts';
import { intentOutput, settingsOf } from './cluster-guard-steps.ts';

const intent = intentOutput('runaway');
const blind: GuardOutput = { kind: 'blind', node: 'n1', isBlind: true };

/** A recorder whose commits end as the test says. */
function recorderWith(stored: Promise<Result<void, string>>) {
  const log = recordingLogger();
  const rows: StoreChange[] = [];
  const published: DecisionView[] = [];
  const commits: (readonly [string, boolean])[] = [];
  const recorder = new GuardRecorder('prod', {
    clock: new FakeClock(epoch),
    log,
    digest,
    record: (changes) => {
      rows.push(...changes);
      return stored;
    },
    publish: (decision) => void published.push(decision),
  });
  const record = (outputs: readonly GuardOutput[], hasPolicies = true): void =>
    recorder.record({
      input: { kind: 'tick' },
      outputs,
      settings: settingsOf({ guard: guardSection.parse({}) }),
      hasPolicies,
      state: () => initialState(),
      onCommit: (key, isOnDisk) => void commits.push([key, isOnDisk]),
    });
  return { recorder, record, log, rows, published, commits };
}

describe('the guard recorder', () => {
  it('reports the commit of an intent, and publishes the decision after it', async () => {
    const { record, rows, published, commits } = recorderWith(Promise.resolve(ok(undefined)));
    record([intent]);
    expect([rows.map(({ table }) => table), published, commits]).toEqual([['guard_intents'], [], []]);
    await Promise.resolve();
    await Promise.resolve();
    expect(published).toMatchObject([{ key: 'k' }]);
    expect(commits).toEqual([['k', true]]);
  });

  it('logs an audit write that failed, and reports it', async () => {
    const { record, log, commits } = recorderWith(Promise.resolve(err('the disk is full')));
    record([intent]);
    await Promise.resolve();
    await Promise.resolve();
    expect(commits).toEqual([['k', false]]);
    expect(log.lines).toContainEqual(
      expect.objectContaining({
        level: 'error',
        message: 'audit write failed',
        fields: { error: 'the disk is full' },
      }),
    );
  });

  it('counts every output, and logs the state of nodes only with policies', () => {
    const { recorder, record, log } = recorderWith(Promise.resolve(ok(undefined)));
    const skipped: GuardOutput = { kind: 'skipped', scope: 'node', node: 'n1', reason: 'failed' };
    record([blind, skipped], false);
    expect(log.lines).toEqual([]);
    record([blind, skipped]);
    expect(log.lines).toHaveLength(1);
    expect(recorder.counters.count('skipped', 'n1', 'node', 'failed')).toBe(2);
  });
});
