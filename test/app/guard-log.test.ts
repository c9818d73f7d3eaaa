import { describe, expect, it } from 'vitest';
import { logGuard } from '../../src/app/guard-log.ts';
import type { GuardOutput } from '../../src/guard/decision/output.ts';
import { decisionOf } from '../guard/decision/decisions.ts';
import { settingsOf, World } from '../guard/decision/world.ts';
import { policyOf } from '../guard/policy-of.ts';
import { type LogLine, recordingLogger } from '../support/logger.ts';

const about = { key: 'k', policy: 'runaway', node: 'n1' };
const ended = { kind: 'outcome', ...about, at: 0 } as const;

function linesOf(...outputs: readonly GuardOutput[]): readonly LogLine[] {
  const log = recordingLogger();
  for (const output of outputs) logGuard(log, output);
  return log.lines;
}

/** All that a guard tells in the life of one decision. */
function lifeOf(mode: 'observe' | 'enforce'): readonly GuardOutput[] {
  const world = new World(settingsOf([policyOf({ mode, when: { age: '> 12s' } })])).begin();
  world.start({ url: '/query/fraud/ring_scan?iban=DE02120300000000202051' });
  return world.run(60_000).outputs;
}

describe('the log of the guard', () => {
  it('tells the life of a decision', () => {
    expect(linesOf(...lifeOf('enforce')).map(({ level, message }) => `${level}: ${message}`)).toEqual([
      'info: the guard covers a node',
      'info: a query matches a policy',
      'warn: a query is aborted',
      'info: an abort has its outcome',
    ]);
    expect(linesOf(...lifeOf('observe')).map(({ message }) => message)).toContain(
      'a policy that observes would abort a query',
    );
  });

  it('says which query it is about, and nothing of what users typed', () => {
    const lines = [...linesOf(...lifeOf('enforce')), ...linesOf(...lifeOf('observe'))];
    expect(lines[1]?.fields).toMatchObject({ policy: 'runaway', mode: 'enforce', node: 'n1', graph: 'fraud' });
    expect(lines[2]?.fields).toEqual({ policy: 'runaway', node: 'n1', id: lines[1]?.fields.id, graph: 'fraud' });
    expect(JSON.stringify(lines)).not.toContain('DE02');
  });

  it.each<readonly [LogLine['level'], string, GuardOutput]>([
    ['info', 'a query is let go', { kind: 'cancelled', ...about, doubt: 'paused' }],
    ['warn', 'is held up', { kind: 'late', ...about, reason: 'cooldown' }],
    ['info', 'has its outcome', { ...ended, outcome: 'confirmed', pages: false }],
    ['error', 'did not end its query', { ...ended, outcome: 'still_running', pages: true }],
    ['error', 'a breaker opens', { kind: 'breaker', breaker: 'b', isOpen: true }],
    ['warn', 'a breaker is reset', { kind: 'breaker', breaker: 'b', isOpen: false }],
    ['warn', 'is blind on a node', { kind: 'blind', node: 'n1', isBlind: true }],
    ['info', 'sees a node again', { kind: 'blind', node: 'n1', isBlind: false }],
    ['info', 'covers a node', { kind: 'covered', node: 'n1', isCovered: true }],
    ['warn', 'does not cover a node', { kind: 'covered', node: 'n1', isCovered: false }],
    ['warn', 'our own clock was set', { kind: 'void', scope: 'all', reason: 'clock_stepped' }],
    ['error', 'the guard pauses', { kind: 'pause', reason: 'unexpected_id' }],
  ])('tells at level %s that %s', (level, words, output) => {
    expect(linesOf(output)).toEqual([expect.objectContaining({ level, message: expect.stringContaining(words) })]);
  });

  it('names the doubt where there was one', () => {
    const [withdrawn, confirmed] = linesOf(
      { ...ended, outcome: 'withdrawn', pages: false, doubt: 'paused' },
      { ...ended, outcome: 'confirmed', pages: false },
    );
    expect(withdrawn?.fields).toEqual({ ...about, outcome: 'withdrawn', doubt: 'paused' });
    expect(confirmed?.fields).toEqual({ ...about, outcome: 'confirmed' });
  });

  it('is silent on what comes all the time, or is told elsewhere', () => {
    const { target } = decisionOf();
    const silent: readonly GuardOutput[] = [
      { kind: 'list', node: 'n1', purpose: 'plain' },
      { kind: 'wake', at: 5 },
      { kind: 'void', scope: 'node', node: 'n1', reason: 'failed' },
      { kind: 'void', scope: 'entry', node: 'n1', reason: 'id' },
      { kind: 'declined', node: target.node, id: target.id, doubt: 'no_list' },
      { kind: 'exhausted', budget: 'node' },
      { kind: 'relief', policy: 'runaway', node: 'n1', aborts: 1 },
    ];
    expect(linesOf(...silent)).toEqual([]);
  });
});
