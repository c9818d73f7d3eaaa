import { expect, it } from 'vitest';
import { rules } from '../../../src/alert/rules/all.ts';
import { causingCycles } from '../../../src/app/tracing/self-traces.ts';
import type { LatestResult } from '../../../src/collect/latest-results.ts';
import { failure } from '../../../src/kernel/failure.ts';
import { err, ok } from '../../../src/kernel/result.ts';

/** What is known of a place: `queries@m1 3` was read at 3, in the cycle whose id ends in 3; `!` failed. */
function entryOf(text: string): LatestResult {
  const [, collector = '', node = '', at = '', mark = ''] = /^(\w+)@(\w*) (\d+)(.?)$/.exec(text) ?? [];
  const now = { wall: 0, mono: Number(at) };
  const cycle = { traceId: at.padStart(32, 'a'), spanId: at.padStart(16, 'b') };
  const result = mark === '!' ? err(failure('timeout', 'x')) : ok(1);
  const pollResult = { result, source: node, started: now, ended: now, ...(mark === '?' ? {} : { cycle }) };
  return { cluster: 'prod', collector, node, pollResult, fresh: result.ok, hasFacts: result.ok, freshUntil: 1e9 };
}

/** When what an alert goes back to was read. */
function causes(
  rule: string,
  labels: Readonly<Record<string, string>>,
  ...entries: readonly string[]
): readonly string[] {
  const known = rules.find(({ name }) => name === rule);
  return causingCycles({ labels }, known, entries.map(entryOf)).map(({ spanId }) => spanId.replaceAll('b', ''));
}

it('an alert links to the polls that its rule needs, of its node if it has one, newest first', () => {
  const all = ['queries@m1 1', 'queries@m2 2', 'services@ 3', 'health@m1 4'];
  expect(causes('query_overdue', { node: 'm1' }, ...all)).toEqual(['1']);
  expect(causes('service_readonly', {}, ...all, 'services@ 7')).toEqual(['7', '3']);
});

it('an alert links to the polls of the collector that it names', () => {
  const all = ['queries@m1 1', 'queries@m2 2', 'license@ 3', 'health@m1 4'];
  expect(causes('collector_blind', { node: 'm1', collector: 'queries' }, ...all)).toEqual(['1']);
  expect(causes('collector_blind', { node: '', collector: 'license' }, ...all)).toEqual(['3']);
});

it('an alert links to the runs of the probe that it names', () => {
  const all = ['probe_ring@ 1', 'probe_other@ 2', 'queries@m1 3'];
  expect(causes('probe_failed', { node: '', probe: 'ring' }, ...all)).toEqual(['1']);
});

it('an alert about a node links to the failed polls of the node', () => {
  expect(causes('node_unreachable', { node: 'm1' }, 'health@m1 1!', 'queries@m1 2', 'health@m2 3!')).toEqual(['1']);
});

it('an alert has no links if no poll is traced, or if it is about graphwarden', () => {
  expect(causes('query_overdue', { node: 'm1' }, 'queries@m1 1?')).toEqual([]);
  expect(causes('watchdog', {}, 'health@m1 1!')).toEqual([]);
  expect(causes('unheard_of', {}, 'health@m1 1!')).toEqual([]);
});

it('an alert links to at most eight cycles', () => {
  const many = Array.from({ length: 20 }, (_, at) => `statistics@m${at} ${at}`);
  expect(causes('endpoint_timeouts', {}, ...many)).toEqual(['19', '18', '17', '16', '15', '14', '13', '12']);
});
