import { describe, expect, it } from 'vitest';
import { probeOutcome } from '../../src/app/probe-outcome.ts';

const good = { collector: 'health', node: 'm1', good: true };
const bad = { collector: 'load', node: '', good: false };

describe('what a probe says about itself', () => {
  it('is three families with one line each, and one for each collector', () => {
    expect(probeOutcome([good], 1250).split('\n')).toEqual([
      '# HELP probe_success Whether every reading of the probe was good.',
      '# TYPE probe_success gauge',
      'probe_success 1',
      '# HELP probe_duration_seconds How long the probe took.',
      '# TYPE probe_duration_seconds gauge',
      'probe_duration_seconds 1.25',
      '# HELP probe_collector_success Whether one reading was good; node is empty for a fact of the whole cluster.',
      '# TYPE probe_collector_success gauge',
      'probe_collector_success{collector="health",node="m1"} 1',
      '',
    ]);
  });

  it.each([
    ['all are good', [good, good], 1],
    ['one is not', [good, bad], 0],
    ['none was read', [], 0],
  ])('tells whether %s', (_, outcomes, success) => {
    expect(probeOutcome(outcomes, 0)).toContain(`probe_success ${success}\n`);
  });

  it('escapes what could end a label', () => {
    expect(probeOutcome([{ ...good, node: 'a"b\\c\nd' }], 0)).toContain('node="a\\"b\\\\c\\nd"} 1');
  });
});
