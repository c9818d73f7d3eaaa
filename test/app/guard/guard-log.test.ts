import { describe, expect, it } from 'vitest';
import { logGuardOutput } from '../../../src/app/guard/guard-log.ts';
import type { GuardOutput } from '../../../src/guard/decision/output.ts';
import { decisionOf } from '../../guard/decision/decisions.ts';
import { GuardSimulation, settingsOf } from '../../guard/decision/guard-simulation.ts';
import { policyOf } from '../../guard/parsed-policy.ts';
import { type LogLine, recordingLogger } from '../../support/logger.ts';

const target = { policy: 'runaway', node: 'n1', id: '7', graph: 'fraud' };
const about = { key: 'k', ...target };
const ended = { kind: 'outcome', ...about, at: 0 } as const;

function linesOf(...outputs: readonly GuardOutput[]): readonly LogLine[] {
  const log = recordingLogger();
  for (const output of outputs) logGuardOutput(log, output);
  return log.lines;
}

/** Returns all outputs of a guard for one decision. */
function lifeOf(mode: 'observe' | 'enforce'): readonly GuardOutput[] {
  const simulation = new GuardSimulation(settingsOf([policyOf({ mode, when: { age: '> 12s' } })])).begin();
  simulation.start({ url: '/query/fraud/ring_scan?iban=DE02120300000000202051' });
  return simulation.run(60_000).outputs;
}

describe('guard log', () => {
  it('logs each phase of a decision', () => {
    expect(linesOf(...lifeOf('enforce')).map(({ level, message }) => `${level}: ${message}`)).toEqual([
      'info: node covered',
      'info: query matched',
      'warn: abort request sent',
      'info: abort finished',
    ]);
    expect(linesOf(...lifeOf('observe')).map(({ message }) => message)).toContain('query would be aborted');
  });

  it('names the query, and no user data', () => {
    const lines = [...linesOf(...lifeOf('enforce')), ...linesOf(...lifeOf('observe'))];
    expect(lines[1]?.fields).toMatchObject({ policy: 'runaway', mode: 'enforce', node: 'n1', graph: 'fraud' });
    expect(lines[2]?.fields).toEqual({ policy: 'runaway', node: 'n1', id: lines[1]?.fields.id, graph: 'fraud' });
    expect(JSON.stringify(lines)).not.toContain('DE02');
  });

  it.each<readonly [LogLine['level'], string, GuardOutput]>([
    ['info', 'decision cancelled', { kind: 'cancelled', ...about, skipReason: 'paused' }],
    ['warn', 'decision delayed', { kind: 'late', ...about, reason: 'cooldown' }],
    ['info', 'abort finished', { ...ended, outcome: 'confirmed', pages: false }],
    ['error', 'query still running after abort', { ...ended, outcome: 'still_running', pages: true }],
    ['error', 'circuit breaker opened', { kind: 'breaker', breaker: 'b', isOpen: true }],
    ['warn', 'circuit breaker reset', { kind: 'breaker', breaker: 'b', isOpen: false }],
    ['warn', 'no usable process list', { kind: 'blind', node: 'n1', isBlind: true }],
    ['info', 'process list usable again', { kind: 'blind', node: 'n1', isBlind: false }],
    ['info', 'node covered', { kind: 'covered', node: 'n1', isCovered: true }],
    ['warn', 'node no longer covered', { kind: 'covered', node: 'n1', isCovered: false }],
    ['warn', 'local clock was set', { kind: 'skipped', scope: 'all', reason: 'clock_stepped' }],
    ['error', 'guard paused itself', { kind: 'pause', reason: 'unexpected_id' }],
  ])('logs at level %s: %s', (level, words, output) => {
    expect(linesOf(output)).toEqual([expect.objectContaining({ level, message: expect.stringContaining(words) })]);
  });

  it('logs the skip reason if there is one', () => {
    const [withdrawn, confirmed] = linesOf(
      { ...ended, outcome: 'withdrawn', pages: false, skipReason: 'paused' },
      { ...ended, outcome: 'confirmed', pages: false },
    );
    expect(withdrawn?.fields).toEqual({ ...target, outcome: 'withdrawn', reason: 'paused' });
    expect(confirmed?.fields).toEqual({ ...target, outcome: 'confirmed' });
  });

  it('names the query of a decision that is cancelled or delayed; a manual abort may have no graph', () => {
    const [cancelled, delayed, manual] = linesOf(
      { kind: 'cancelled', ...about, skipReason: 'paused' },
      { kind: 'late', ...about, reason: 'cooldown' },
      { kind: 'late', ...about, policy: '', graph: '', reason: 'reserve' },
    );
    expect(cancelled?.fields).toEqual({ ...target, reason: 'paused' });
    expect(delayed?.fields).toEqual({ ...target, reason: 'cooldown' });
    expect(manual?.fields).toEqual({ policy: '', node: 'n1', id: '7', reason: 'reserve' });
  });

  it('does not log regular outputs', () => {
    const { node, id } = decisionOf().target;
    const silent: readonly GuardOutput[] = [
      { kind: 'list', node: 'n1', purpose: 'regular' },
      { kind: 'wake', at: 5 },
      { kind: 'skipped', scope: 'node', node: 'n1', reason: 'failed' },
      { kind: 'skipped', scope: 'entry', node: 'n1', reason: 'id' },
      { kind: 'declined', node, id, skipReason: 'no_list' },
      { kind: 'exhausted', budget: 'node' },
      { kind: 'relief', policy: 'runaway', node: 'n1', aborts: 1 },
    ];
    expect(linesOf(...silent)).toEqual([]);
  });
});
