import { describe, expect, it } from 'vitest';
import { KeptSamples } from '../../src/collect/kept-samples.ts';
import { counter, gauge, type Sample, sample } from '../../src/metric/metric.ts';
import type { ParsedFamily, ParsedSeries } from '../../src/model/exposition.ts';
import { sampleValues, valueTextAt } from '../../src/model/exposition.ts';

const bytes = counter({ name: 'graphdb_bytes_total', help: 'Bytes.', labels: ['host_id'], source: 'test' });
const load = gauge({ name: 'graphdb_load', help: 'Load.', source: 'test' });
const verdict = gauge({ name: 'graphdb_passed', help: 'Passed.', labels: ['check'], source: 'test', keep: true });

function shown(memory: KeptSamples, samples: Iterable<Sample>): readonly number[] {
  return [...memory.passComplete(samples)].map(({ value }) => value);
}

/** Feeds counter values from sources in turn, one every `interval`, and gives what was shown. */
function run(turns: readonly (readonly [source: string, value: number])[], interval = 60_000): readonly number[] {
  const memory = new KeptSamples();
  return turns.map(([source, value], turn) => {
    memory.startResult(source, turn * interval);
    return shown(memory, [sample(bytes, { host_id: 'm1' }, value)])[0] ?? Number.NaN;
  });
}

describe('a counter', () => {
  it.each([
    [
      'is shown as it comes',
      [
        ['a', 1],
        ['a', 5],
        ['a', 9],
      ],
      [1, 5, 9],
    ],
    [
      'that falls without a switch was reset',
      [
        ['a', 9],
        ['a', 2],
      ],
      [9, 2],
    ],
    [
      'that lags after a switch is withheld until it has caught up',
      [
        ['a', 9],
        ['b', 7],
        ['b', 10],
      ],
      [9, 9, 10],
    ],
    [
      'that is lower for three refreshes was reset',
      [
        ['a', 9],
        ['b', 1],
        ['b', 2],
        ['b', 3],
        ['b', 4],
      ],
      [9, 9, 9, 3, 4],
    ],
    [
      'that is higher after a switch is shown at once',
      [
        ['a', 9],
        ['b', 12],
      ],
      [9, 12],
    ],
    [
      'is held again when the source switches back',
      [
        ['a', 9],
        ['b', 5],
        ['a', 8],
        ['a', 8],
        ['a', 8],
      ],
      [9, 9, 9, 9, 8],
    ],
  ] as const)('%s', (_, turns, expected) => {
    expect(run(turns)).toEqual(expected);
  });

  it('that is polled every 15 s and lags after a switch is withheld for two minutes, because its copy changes once a minute', () => {
    const lagging = Array.from({ length: 10 }, () => ['b', 7] as const);
    expect(run([['a', 9], ...lagging], 15_000)).toEqual([9, 9, 9, 9, 9, 9, 9, 9, 9, 7, 7]);
  });

  it('is compared with its own series', () => {
    const memory = new KeptSamples();
    memory.startResult('a', 0);
    shown(memory, [sample(bytes, { host_id: 'm1' }, 9), sample(bytes, { host_id: 'm2' }, 3)]);
    memory.startResult('b', 0);
    const next = [sample(bytes, { host_id: 'm2' }, 4), sample(bytes, { host_id: 'm3' }, 1)];
    expect(shown(memory, next)).toEqual([4, 1]);
  });
});

describe('kept samples', () => {
  it('are counters and results, not gauges', () => {
    const memory = new KeptSamples();
    memory.startResult('a', 0);
    shown(memory, [sample(load, {}, 7), sample(bytes, { host_id: 'm1' }, 9), sample(verdict, { check: 'x' }, 1)]);
    expect([...memory.all()].map(({ metric }) => metric.name)).toEqual(['graphdb_bytes_total', 'graphdb_passed']);
  });

  it('exclude a family that another collector exposes', () => {
    const memory = new KeptSamples();
    memory.startResult('a', 0);
    shown(memory, [sample(bytes, { host_id: 'm1' }, 9), sample(verdict, { check: 'x' }, 1)]);
    memory.forget(new Set(['graphdb_bytes_total']));
    expect([...memory.all()].map(({ metric }) => metric.name)).toEqual(['graphdb_passed']);
  });

  it('withhold no gauge', () => {
    const memory = new KeptSamples();
    memory.startResult('a', 0);
    shown(memory, [sample(load, {}, 7), sample(verdict, { check: 'x' }, 1)]);
    memory.startResult('b', 0);
    expect(shown(memory, [sample(load, {}, 2), sample(verdict, { check: 'x' }, 0)])).toEqual([2, 0]);
  });

  it('are complete only when all samples of a poll result were exported', () => {
    const memory = new KeptSamples();
    memory.startResult('a', 0);
    shown(memory, [sample(bytes, { host_id: 'm1' }, 9)]);
    const broken = memory.passComplete([sample(bytes, { host_id: 'm1' }, 10), sample(bytes, { host_id: 'm2' }, 1)]);
    broken.next();
    expect([...memory.all()].map(({ value }) => value)).toEqual([9]);
  });

  it('supplement the samples of a failed poll, which have precedence', () => {
    const memory = new KeptSamples();
    memory.startResult('a', 0);
    shown(memory, [sample(verdict, { check: 'x' }, 1), sample(verdict, { check: 'y' }, 1)]);
    const part = [sample(load, {}, 3), sample(verdict, { check: 'y' }, 0)];
    const values = [...memory.passPartial(part)].map(({ metric, labels, value }) => [metric.name, labels.check, value]);
    expect(values).toEqual([
      ['graphdb_load', undefined, 3],
      ['graphdb_passed', 'x', 1],
      ['graphdb_passed', 'y', 0],
    ]);
  });

  it('withhold a lower counter of a partial result from another source', () => {
    const memory = new KeptSamples();
    const partial = (source: string, value: number, mono: number): readonly number[] => {
      memory.startResult(source, mono);
      return [...memory.passPartial([sample(bytes, { host_id: 'm1' }, value)])].map((one) => one.value);
    };
    memory.startResult('a', 0);
    shown(memory, [sample(bytes, { host_id: 'm1' }, 9)]);
    expect([partial('b', 7, 60_000), partial('b', 10, 120_000), partial('b', 2, 300_000)]).toEqual([[9], [10], [2]]);
  });
});

function show(memory: KeptSamples, source: string, given: ParsedFamily, mono = 0): readonly string[] {
  memory.startResult(source, mono);
  return memory.passFamilies([given]).flatMap(({ series, values }) => series.map((_, at) => valueTextAt(values, at)));
}

describe("the server's own families", () => {
  const one: ParsedSeries = { name: 'svc_bytes', pairs: ['host', 'm1'] };
  const two: ParsedSeries = { name: 'svc_bytes', pairs: ['host', 'm2'] };
  const family = (type: ParsedFamily['type'], ...values: string[]): ParsedFamily => ({
    name: 'svc_bytes',
    type,
    help: '',
    series: [one, two].slice(0, values.length),
    values: sampleValues(values),
  });

  it('are passed through unchanged while the source is the same', () => {
    const memory = new KeptSamples();
    memory.startResult('a', 0);
    const given = [family('counter', '9')];
    expect(memory.passFamilies(given)).toBe(given);
  });

  it('hold lower counters after a switch, without losing a digit', () => {
    const memory = new KeptSamples();
    show(memory, 'a', family('counter', '9007199254740999', '5'));
    expect(show(memory, 'b', family('counter', '17', '6'))).toEqual(['9007199254740999', '6']);
    expect(show(memory, 'b', family('counter', '18', '7'), 60_000)).toEqual(['9007199254740999', '7']);
    expect(show(memory, 'b', family('counter', '19', '8'), 120_000)).toEqual(['19', '8']);
  });

  it('have falling gauges, and new series and families', () => {
    const memory = new KeptSamples();
    show(memory, 'a', family('gauge', '9'));
    expect(show(memory, 'b', family('gauge', '3', '4'))).toEqual(['3', '4']);
    const other = { ...family('counter', '1'), name: 'svc_other' };
    expect(memory.passFamilies([other])).toEqual([other]);
  });
});
