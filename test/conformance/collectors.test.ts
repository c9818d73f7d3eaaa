import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { collectors } from '../../src/collect/all.ts';
import type { CallName, Collector } from '../../src/collect/collector.ts';
import { failureReasons } from '../../src/kernel/failure.ts';
import type { Sample } from '../../src/metric/metric.ts';
import { endOfReading, linesOf } from '../support/readings.ts';
import { answering, type Treatment, type Trouble } from './answering.ts';
import { complaintsAbout } from './declarations.ts';
import { graphs as example } from './example-collector.ts';
import { busy, canary, idle, withText } from './facts.ts';

type Result = Awaited<ReturnType<Collector['read']>>;

const hostileTexts = [
  '',
  'a"b\\c\nd',
  '\0\u0001\u001b[31m',
  '\ud800',
  '}{,=\'"# EOF',
  '__proto__',
  'constructor',
  '../../etc/passwd',
  'x'.repeat(10_000),
];

/** Sets of label values that are closed: whoever shows one of them shows all. */
const closedSets: Readonly<Record<string, { readonly label: string; readonly size: number }>> = {
  graphdb_service_status: { label: 'status', size: 10 },
  graphdb_endpoint_window_requests: { label: 'outcome', size: 2 },
  graphdb_network_bytes_total: { label: 'direction', size: 2 },
};

/** Reads once; `asked` are the calls that were made. */
async function read(collector: Collector, treatment: Treatment, signal = new AbortController().signal) {
  const db = answering(treatment);
  const result = await collector.read(db, signal);
  return { result, asked: db.asked };
}

/** Everything that a reading would put on the page. */
function samplesOf(collector: Collector, result: Result): readonly Sample[] {
  if (result.ok) return [...collector.samples(result.value, endOfReading)];
  const failed = [...(collector.failed?.(result.error) ?? [])];
  return result.partial === undefined ? failed : [...failed, ...collector.samples(result.partial, endOfReading)];
}

function expectDeclared(collector: Collector, samples: readonly Sample[]): void {
  for (const { metric, labels, value } of samples) {
    expect(collector.metrics).toContain(metric);
    expect(Object.keys(labels).toSorted()).toEqual([...metric.labels].toSorted());
    for (const text of Object.values(labels)) expect(text).toBeTypeOf('string');
    expect(value, metric.name).toSatisfy(Number.isFinite);
  }
}

/** Trouble with one call alone. */
function onlyFails(wrong: CallName, how: 'hangs' | 'status'): Trouble {
  return (call) => (call === wrong ? how : undefined);
}

describe.each([...collectors, example].map((collector) => [collector.name, collector] as const))(
  '%s',
  (name, collector) => {
    it('introduces itself', () => {
      expect(name).toMatch(/^[a-z]+(_[a-z]+)*$/);
      expect(collector.about).toMatch(/^[A-Z].*\.$/);
      expect(collector.calls.length).toBeGreaterThan(0);
      expect(collector.metrics.length).toBeGreaterThan(0);
      expect(collector.defaults.timeout).toBeGreaterThan(0);
      expect(collector.defaults.timeout).toBeLessThanOrEqual(collector.defaults.every);
    });

    it('declares families as the page wants them', () => {
      expect(collector.metrics.flatMap(complaintsAbout)).toEqual([]);
      expect(new Set(collector.metrics.map((metric) => metric.name)).size).toBe(collector.metrics.length);
    });

    it('shows every declared family of a busy cluster, and nothing else, each series once', async () => {
      const { result } = await read(collector, { facts: busy });
      const samples = samplesOf(collector, result);
      expect(result.ok).toBe(true);
      expectDeclared(collector, samples);
      expect(new Set(samples.map(({ metric }) => metric.name))).toEqual(
        new Set(collector.metrics.map((each) => each.name)),
      );
      const series = linesOf(samples).map((line) => line.replace(/ \S+$/, ''));
      expect(new Set(series).size).toBe(series.length);
    });

    it('shows the same facts in the same way again', async () => {
      const { result } = await read(collector, { facts: busy });
      expect(linesOf(samplesOf(collector, result))).toEqual(linesOf(samplesOf(collector, result)));
    });

    it('shows closed sets whole', async () => {
      const { result } = await read(collector, { facts: busy });
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

    it('survives a cluster that has nothing', async () => {
      const { result } = await read(collector, { facts: idle });
      expectDeclared(collector, samplesOf(collector, result));
    });

    it.each(hostileTexts)('survives %j wherever the server can put a word', async (text) => {
      const { result } = await read(collector, { facts: withText(text) });
      expectDeclared(collector, samplesOf(collector, result));
    });

    it.each(failureReasons)('hands %s on, and declares what it shows then', async (reason) => {
      const { result } = await read(collector, { facts: busy, trouble: () => reason });
      expect(result).toMatchObject({ ok: false, error: { reason } });
      expectDeclared(collector, samplesOf(collector, result));
    });

    it.each(collector.calls)('fails when %s does', async (call) => {
      const { result, asked } = await read(collector, { facts: busy, trouble: onlyFails(call, 'status') });
      expect(result.ok).toBe(!asked.has(call));
      expectDeclared(collector, samplesOf(collector, result));
    });

    it.each(collector.calls)('ends at once when it is aborted during %s', async (call) => {
      const abort = new AbortController();
      const reading = read(collector, { facts: busy, trouble: onlyFails(call, 'hangs') }, abort.signal);
      await new Promise((resolve) => setImmediate(resolve));
      abort.abort();
      const { result, asked } = await reading;
      expect(result.ok).toBe(!asked.has(call));
      if (!result.ok) expect(result.error.reason).toBe('timeout');
      expectDeclared(collector, samplesOf(collector, result));
    });

    it('reads nothing once it is aborted', async () => {
      const { result } = await read(collector, { facts: busy }, AbortSignal.abort());
      expect(result).toMatchObject({ ok: false, error: { reason: 'timeout' } });
    });

    it('makes the calls that it declares, and no others', async () => {
      const all = await read(collector, { facts: busy });
      const refused = await read(collector, {
        facts: busy,
        trouble: (call) => (call === 'processListAll' ? 'auth' : undefined),
      });
      expect(new Set([...all.asked, ...refused.asked])).toEqual(new Set(collector.calls));
    });

    it("shows none of the users' data", async () => {
      const { result } = await read(collector, { facts: busy });
      expect(JSON.stringify(linesOf(samplesOf(collector, result)))).not.toContain(canary);
    });
  },
);

describe('the list', () => {
  it('has each collector once, in a file of its name, with its test', () => {
    const names = collectors.map((collector) => collector.name);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) {
      const file = name.replaceAll('_', '-');
      expect([`src/collect/${file}.ts`, `test/collect/${file}.test.ts`].filter((path) => !existsSync(path))).toEqual(
        [],
      );
    }
  });

  it('declares a family once, or by the same constant where one collector yields to the other', () => {
    for (const collector of collectors) {
      for (const other of collectors) {
        if (other === collector) continue;
        const shared = collector.metrics.filter(({ name }) => other.metrics.some((metric) => metric.name === name));
        const related = collector.yieldsTo === other.name || other.yieldsTo === collector.name;
        expect(shared.length > 0).toBe(related);
        for (const metric of shared) expect(other.metrics).toContain(metric);
      }
    }
  });

  it('yields to collectors that exist', () => {
    const names = collectors.map((collector) => collector.name);
    for (const { yieldsTo } of collectors) if (yieldsTo !== undefined) expect(names).toContain(yieldsTo);
  });
});
