import { describe, expect, it } from 'vitest';
import { formatProbeMetrics } from '../../../src/app/api/probe-route.ts';

const healthy = { collector: 'health', node: 'm1', success: true };
const failing = { collector: 'load', node: '', success: false };

describe('metrics about a probe', () => {
  it('are three families with one line each, and one for each collector', () => {
    expect(formatProbeMetrics([healthy], 1250).split('\n')).toEqual([
      '# HELP probe_success Whether every poll of the probe succeeded.',
      '# TYPE probe_success gauge',
      'probe_success 1',
      '# HELP probe_duration_seconds Duration of the probe in seconds.',
      '# TYPE probe_duration_seconds gauge',
      'probe_duration_seconds 1.25',
      '# HELP probe_collector_success Whether the poll of a collector succeeded; node is empty for a collector of the whole cluster.',
      '# TYPE probe_collector_success gauge',
      'probe_collector_success{collector="health",node="m1"} 1',
      '',
    ]);
  });

  it.each([
    ['all polls succeed', [healthy, healthy], 1],
    ['one poll fails', [healthy, failing], 0],
    ['nothing is polled', [], 0],
  ])('report whether %s', (_, outcomes, success) => {
    expect(formatProbeMetrics(outcomes, 0)).toContain(`probe_success ${success}\n`);
  });

  it('escape label values', () => {
    expect(formatProbeMetrics([{ ...healthy, node: 'a"b\\c\nd' }], 0)).toContain('node="a\\"b\\\\c\\nd"} 1');
  });
});
