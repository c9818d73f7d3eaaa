import { expect, it } from 'vitest';
import type { Collector, CollectorCall } from '../../src/collect/collector.ts';
import { failureReasons } from '../../src/kernel/failure.ts';
import type { Sample } from '../../src/metric/metric.ts';
import { pollEnd, sampleLines } from '../support/poll-results.ts';
import { declarationProblems } from './declarations.ts';
import { busyCluster, canary, idleCluster, withText } from './facts.ts';
import { type CallFailure, fakeNode, type NodeBehavior } from './fake-node.ts';

type Result = Awaited<ReturnType<Collector['poll']>>;

const hostileTexts = [
  ['empty', ''],
  ['text with quotes and line feeds', 'a"b\\c\nd'],
  ['control characters', '\0\u0001\u001b[31m'],
  ['a lone surrogate', '\ud800'],
  ['exposition syntax', '}{,=\'"# EOF'],
  ['__proto__', '__proto__'],
  ['constructor', 'constructor'],
  ['a path', '../../etc/passwd'],
  ['10,000 characters long', 'x'.repeat(10_000)],
] as const;

/** Closed sets of label values: a collector that exports one value exports all. */
const closedSets: Readonly<Record<string, { readonly label: string; readonly size: number }>> = {
  graphdb_endpoint_recent_requests: { label: 'outcome', size: 2 },
  graphdb_network_bytes_total: { label: 'direction', size: 2 },
};

/** Polls once; `madeCalls` are the calls that were made. */
async function read(collector: Collector, treatment: NodeBehavior, signal = new AbortController().signal) {
  const db = fakeNode(treatment);
  const result = await collector.poll(db, signal);
  return { result, madeCalls: db.madeCalls };
}

/** Returns all samples of a poll result. */
function samplesOf(collector: Collector, result: Result): readonly Sample[] {
  if (result.ok) return [...collector.samples(result.value, pollEnd)];
  const failed = [...(collector.failureSamples?.(result.error) ?? [])];
  return result.partial === undefined ? failed : [...failed, ...collector.samples(result.partial, pollEnd)];
}

function expectDeclared(collector: Collector, samples: readonly Sample[]): void {
  for (const { metric, labels, value } of samples) {
    expect(collector.metrics).toContain(metric);
    expect(Object.keys(labels).toSorted()).toEqual([...metric.labels].toSorted());
    for (const text of Object.values(labels)) expect(text).toBeTypeOf('string');
    expect(value, metric.name).toSatisfy(Number.isFinite);
  }
}

/** Failure of a single call. */
function onlyFails(wrong: CollectorCall, how: 'hangs' | 'status'): CallFailure {
  return (call) => (call === wrong ? how : undefined);
}

/** Tests that every collector must pass. */
export function collectorSuite(collector: Collector): void {
  it('has a name, a description, calls, families, and a timeout within its interval', () => {
    expect(collector.name).toMatch(/^[a-z]+(_[a-z]+)*$/);
    expect(collector.about).toMatch(/^[A-Z].*\.$/);
    expect(collector.calls.length).toBeGreaterThan(0);
    expect(collector.metrics.length).toBeGreaterThan(0);
    expect(collector.defaults.timeout).toBeGreaterThan(0);
    expect(collector.defaults.timeout).toBeLessThanOrEqual(collector.defaults.interval);
  });

  it('declares valid families, each once', () => {
    expect(collector.metrics.flatMap(declarationProblems)).toEqual([]);
    expect(new Set(collector.metrics.map((metric) => metric.name)).size).toBe(collector.metrics.length);
  });

  it('exposes exactly its declared families for a busy cluster, and each series once', async () => {
    const { result } = await read(collector, { facts: busyCluster });
    const samples = samplesOf(collector, result);
    expect(result.ok).toBe(true);
    expectDeclared(collector, samples);
    expect(new Set(samples.map(({ metric }) => metric.name))).toEqual(
      new Set(collector.metrics.map((each) => each.name)),
    );
    const series = sampleLines(samples).map((line) => line.replace(/ \S+$/, ''));
    expect(new Set(series).size).toBe(series.length);
  });

  it('exposes the same samples for the same facts', async () => {
    const { result } = await read(collector, { facts: busyCluster });
    expect(sampleLines(samplesOf(collector, result))).toEqual(sampleLines(samplesOf(collector, result)));
  });

  it('exposes all values of a label with a fixed set of values', async () => {
    const { result } = await read(collector, { facts: busyCluster });
    const seen = new Map<string, Set<string>>();
    for (const { metric, labels } of samplesOf(collector, result)) {
      const { [closedSets[metric.name]?.label ?? '']: value, ...others } = labels;
      if (value === undefined) continue;
      const series = JSON.stringify([metric.name, others]);
      seen.set(series, (seen.get(series) ?? new Set()).add(value));
    }
    for (const [series, values] of seen) {
      const [family] = JSON.parse(series);
      expect(values.size, series).toBe(closedSets[family]?.size);
    }
  });

  it('exposes only declared families for an idle cluster', async () => {
    const { result } = await read(collector, { facts: idleCluster });
    expectDeclared(collector, samplesOf(collector, result));
  });

  it.each(hostileTexts)('exposes only declared families if every text of the server is %s', async (_, text) => {
    const { result } = await read(collector, { facts: withText(text) });
    expectDeclared(collector, samplesOf(collector, result));
  });

  it.each(failureReasons)('returns the failure %s, and exposes only declared families', async (reason) => {
    const { result } = await read(collector, { facts: busyCluster, failure: () => reason });
    expect(result).toMatchObject({ ok: false, error: { reason } });
    expectDeclared(collector, samplesOf(collector, result));
  });

  it.each(collector.calls)('fails if the call %s fails', async (call) => {
    const { result, madeCalls } = await read(collector, { facts: busyCluster, failure: onlyFails(call, 'status') });
    expect(result.ok).toBe(!madeCalls.has(call));
    expectDeclared(collector, samplesOf(collector, result));
  });

  it.each(collector.calls)('ends at once when it is aborted during the call %s', async (call) => {
    const abort = new AbortController();
    const reading = read(collector, { facts: busyCluster, failure: onlyFails(call, 'hangs') }, abort.signal);
    await new Promise((resolve) => setImmediate(resolve));
    abort.abort();
    const { result, madeCalls } = await reading;
    expect(result.ok).toBe(!madeCalls.has(call));
    if (!result.ok) expect(result.error.reason).toBe('timeout');
    expectDeclared(collector, samplesOf(collector, result));
  });

  it('returns a timeout without a call if it is already aborted', async () => {
    const { result } = await read(collector, { facts: busyCluster }, AbortSignal.abort());
    expect(result).toMatchObject({ ok: false, error: { reason: 'timeout' } });
  });

  it('makes the calls that it declares, and no others', async () => {
    const all = await read(collector, { facts: busyCluster });
    const refused = await read(collector, {
      facts: busyCluster,
      failure: (call) => (call === 'processListAll' ? 'auth' : undefined),
    });
    expect(new Set([...all.madeCalls, ...refused.madeCalls])).toEqual(new Set(collector.calls));
  });

  it('exposes no data of users', async () => {
    const { result } = await read(collector, { facts: busyCluster });
    expect(JSON.stringify(sampleLines(samplesOf(collector, result)))).not.toContain(canary);
  });
}
