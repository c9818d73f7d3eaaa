import { describe, expect, it } from 'vitest';
import { PollFailureLog } from '../../../src/app/poll/poll-failure-log.ts';
import type { Failure } from '../../../src/kernel/failure.ts';
import { failure } from '../../../src/kernel/failure.ts';
import { err, ok } from '../../../src/kernel/result.ts';
import { recordingLogger } from '../../support/logger.ts';

const target = { cluster: 'prod', collector: 'queries', node: 'm1' };
const broken = failure('status', 'GET /x: 500', { status: 500, code: 'REST-12' });

function record(turns: readonly (Failure | 'good')[]): readonly string[] {
  const log = recordingLogger();
  const failureLog = new PollFailureLog(log);
  for (const turn of turns) failureLog.record(target, turn === 'good' ? ok(1) : err(turn));
  return log.lines.map(({ level, fields }) => [level, fields.reason, fields.status].filter(Boolean).join(' '));
}

describe('the log of collector failures', () => {
  it.each<[string, readonly (Failure | 'good')[], readonly string[]]>([
    ['nothing of what works', ['good', 'good'], []],
    ['a failure once', ['good', broken, broken, broken], ['warn status 500']],
    ['a failure of the first poll', [broken], ['warn status 500']],
    ['its end once', [broken, 'good', 'good'], ['warn status 500', 'info']],
    ['a change of reason', [broken, failure('timeout', 'x')], ['warn status 500', 'warn timeout']],
    ['a change of status', [broken, failure('status', 'x', { status: 502 })], ['warn status 500', 'warn status 502']],
    ['no change of words alone', [broken, { ...broken, message: 'other words' }], ['warn status 500']],
    ['the same again after it worked', [broken, 'good', broken], ['warn status 500', 'info', 'warn status 500']],
  ])('logs %s', (_, turns, lines) => {
    expect(record(turns)).toEqual(lines);
  });

  it('logs the target, the failure and the reason', () => {
    const log = recordingLogger();
    new PollFailureLog(log).record(target, err(broken));
    expect(log.lines).toEqual([
      {
        level: 'warn',
        message: 'collector failed',
        fields: { ...target, reason: 'status', status: 500, code: 'REST-12', error: 'GET /x: 500' },
      },
    ]);
  });

  it('has each poll with its duration and reason at level debug', () => {
    const log = recordingLogger();
    const failures = new PollFailureLog(log);
    const ended = { wall: 1500, mono: 500 };
    for (const result of [ok(1), err(broken)]) {
      failures.recordPoll(target, { result, source: 'm1', started: { wall: 1000, mono: 0 }, ended }, '');
    }
    const fields = { ...target, source: 'm1', duration_ms: 500 };
    expect(log.lines.filter(({ level }) => level === 'debug')).toEqual([
      { level: 'debug', message: 'poll finished', fields },
      { level: 'debug', message: 'poll finished', fields: { ...fields, reason: 'status', error: 'GET /x: 500' } },
    ]);
  });

  it('keeps state for each node, and removes it with the node', () => {
    const log = recordingLogger();
    const failureLog = new PollFailureLog(log);
    failureLog.record(target, err(broken));
    failureLog.record({ ...target, node: 'm2' }, err(broken));
    failureLog.forget(({ node }) => node === 'm1');
    failureLog.record(target, err(broken));
    failureLog.record({ ...target, node: 'm2' }, err(broken));
    expect(log.lines.map(({ fields }) => fields.node)).toEqual(['m1', 'm2', 'm1']);
  });
});
