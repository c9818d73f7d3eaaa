import { describe, expect, it } from 'vitest';
import { FlightRecorder } from '../../../src/app/guard/flight-recorder.ts';
import type { GuardInput } from '../../../src/guard/decision/input.ts';
import type { GuardOutput } from '../../../src/guard/decision/output.ts';
import { initialState } from '../../../src/guard/decision/state.ts';
import { guardSection } from '../../../src/guard/guard-section.ts';
import { RecordingReader } from '../../../src/guard/recording/format.ts';
import { digest } from '../../../src/runtime/system-ports.ts';
import { entryOf, epoch, idAt } from '../../guard/observations.ts';
import { FakeClock } from '../../support/clock.ts';
import { recordingLogger } from '../../support/logger.ts';
import { type MemoryLineFiles, memoryLineFiles } from '../../support/memory-line-files.ts';
import { intentOutput, settingsOf } from './cluster-guard-steps.ts';

const intent = intentOutput('deep');
const outcome: GuardOutput = {
  kind: 'outcome',
  outcome: 'confirmed',
  pages: false,
  at: epoch,
  key: 'k',
  policy: 'deep',
  node: 'n1',
  id: '7',
  graph: 'fraud',
};
const policies = [{ name: 'deep', when: { params: { depth: '4' } } }];

function setUp(recording: Readonly<Record<string, unknown>> = {}) {
  const clock = new FakeClock(epoch);
  const disk = memoryLineFiles(clock);
  const context = { clock, digest, log: recordingLogger(), recordingFiles: disk, folder: '/state/recordings' };
  const recorder = new FlightRecorder(context);
  const settings = settingsOf({ guard: guardSection.parse({ policies, recording }), gateSources: ['queue_depth'] });
  const known = initialState({ n1: 'RESTPP_1_1' });
  const record = async (input: GuardInput, state = known, outputs: readonly GuardOutput[] = []): Promise<void> => {
    recorder.record({ settings, input, outputs, state });
    await clock.settle();
  };
  const listed = (changes: Readonly<Record<string, unknown>> = {}, listTime?: number): GuardInput => {
    const times = { started: clock.now(), received: clock.now() };
    const body = { error: false, results: [entryOf(changes)] };
    const list = { kind: 'listed', node: 'n1', body, times, connection: 'c1' } as const;
    return listTime === undefined ? list : { ...list, listTime };
  };
  return { clock, disk, recorder, record, listed, samples: () => recorder.samples().map(({ value }) => value) };
}

/** Files of the evidence, with their lines. */
function aborts({ contents }: MemoryLineFiles): readonly (readonly [string, readonly string[]])[] {
  return [...contents].filter(([path]) => path.startsWith('aborts/'));
}

function elapsed(lines: readonly string[]): readonly unknown[] {
  return lines.slice(1).map((line) => JSON.parse(line).list.entries[0].elapsed);
}

describe('the flight recorder', () => {
  it('writes lists, failed lists and gate values as a recording without user data', async () => {
    const { clock, disk, recorder, record, listed } = setUp();
    await record(listed({}, 700));
    await clock.advance(5000);
    await record({ kind: 'unlisted', node: 'n1', skipReason: 'malformed', listTime: 2999.7 });
    const times = { at: 4000, collectedAt: 3000, interval: 5000 };
    await record({ kind: 'gate_value', pressure: { node: 'n1', source: 'queue_depth', value: 7, ...times } });
    await record({ kind: 'tick' });
    await recorder.stop();
    const reader = new RecordingReader();
    const items = disk.lines().map((text) => reader.read({ text, isWhole: true }));
    expect(items.map((item) => (item.ok ? item.value : item.error))).toMatchObject([
      {
        kind: 'header',
        header: { cluster: 'prod', nodes: ['n1'], instances: { n1: 'RESTPP_1_1' }, gates: ['queue_depth'] },
      },
      {
        event: { event: 'listed', node: 'n1', at: { wall: epoch, mono: epoch }, list: { entries: [{ params: '1' }] } },
      },
      { event: { event: 'unlisted', skip_reason: 'malformed', at: { wall: epoch + 5000, mono: epoch + 5000 } } },
      { event: { event: 'gate_value', source: 'queue_depth', value: 7, age: 2000 } },
    ]);
    expect(items.map((item) => item.ok && item.value.kind === 'event' && item.value.event)).toMatchObject([
      false,
      { list_time: 700 },
      { list_time: 3000 },
      {},
    ]);
    expect(disk.lines().join()).not.toContain('depth=4');
  });

  it('starts a file after the first list of graphs', async () => {
    const { disk, record, listed } = setUp();
    await record(listed());
    await record(listed(), { ...initialState(), graphs: new Set(['fraud']) });
    const headers = [...disk.contents.values()].map(([header = '']) => JSON.parse(header).graphs);
    expect(headers).toEqual([[], ['fraud']]);
  });

  it('starts no file if only the list of graphs changes', async () => {
    const { disk, record, listed } = setUp();
    for (let count = 0; count < 3; count += 1)
      await record(listed(), { ...initialState({ n1: 'RESTPP_1_1' }), graphs: new Set(['fraud']) });
    expect(disk.contents.size).toBe(1);
  });

  it('yields to other work between parts of a long list', async () => {
    const { clock, disk, recorder } = setUp();
    const results = Array.from({ length: 5000 }, (_, serial) => entryOf({ requestid: idAt(0, serial + 1) }));
    const times = { started: clock.now(), received: clock.now() };
    const input: GuardInput = { kind: 'listed', node: 'n1', body: { results }, times, connection: 'c1' };
    recorder.record({ settings: settingsOf(), input, outputs: [], state: initialState() });
    let turns = 0;
    for (; disk.lines().length < 2; turns += 1) await clock.yieldToEventLoop();
    expect(turns).toBeGreaterThanOrEqual(10);
    expect(JSON.parse(disk.lines()[1] ?? '').list.entries).toHaveLength(5000);
  });

  it('redacts after the step of the guard, not in it', () => {
    const { recorder, disk, listed } = setUp();
    recorder.record({ settings: settingsOf(), input: listed(), outputs: [], state: initialState() });
    expect(disk.lines()).toEqual([]);
  });

  it('writes no file if it is disabled', async () => {
    const { disk, record, listed, samples } = setUp({ enabled: false });
    await record(listed());
    expect([disk.lines(), samples()]).toEqual([[], [0, 0]]);
  });

  describe('evidence of an abort', () => {
    it('holds the lists before it and until its outcome', async () => {
      const { clock, disk, record, listed } = setUp();
      const list = async (elapsedTime: number, outputs: readonly GuardOutput[] = []): Promise<void> => {
        await record(listed({ elapsedTime }), undefined, outputs);
        await clock.advance(100_000);
      };
      for (const time of [1, 2, 3, 4, 5]) await list(time);
      await list(6, [intent]);
      await list(7);
      await list(8, [outcome]);
      await list(9);
      expect(aborts(disk).map(([name, lines]) => [name, elapsed(lines)])).toEqual([
        ['aborts/00000001-prod-n1-i.jsonl', [3, 4, 5, 6, 7, 8]],
      ]);
    });

    it('ends after five minutes without an outcome', async () => {
      const { clock, disk, record, listed } = setUp();
      await record(listed({ elapsedTime: 1 }), undefined, [intent]);
      for (const time of [2, 3, 4, 5]) {
        await clock.advance(100_000);
        await record(listed({ elapsedTime: time }));
      }
      expect(aborts(disk).map(([, lines]) => elapsed(lines))).toEqual([[1, 2, 3, 4]]);
    });

    it('outlives the recording, within a quarter of the maximum size', async () => {
      const { disk, record, listed } = setUp({ max_size: '1MiB', max_age: '1h' });
      await record(listed(), undefined, [intent]);
      const lines = aborts(disk)[0]?.[1] ?? [];
      for (let count = 0; count < 3000; count += 1) await record(listed());
      expect(lines.length).toBeGreaterThan(1);
      const size = aborts(disk).reduce((sum, [, kept]) => sum + kept.join('\n').length + 1, 0);
      expect(size).toBeLessThanOrEqual(2 ** 18);
      expect(size).toBeGreaterThan(2 ** 17);
    });

    it('starts with few lines if they are long', async () => {
      const { disk, record } = setUp();
      const results = Array.from({ length: 2000 }, (_, serial) => entryOf({ requestid: idAt(0, serial + 1) }));
      const times = { started: { wall: epoch, mono: 0 }, received: { wall: epoch, mono: 0 } };
      const long: GuardInput = { kind: 'listed', node: 'n1', body: { results }, times, connection: 'c1' };
      for (let count = 0; count < 9; count += 1) await record(long);
      await record({ kind: 'tick' }, undefined, [intent]);
      const lines = aborts(disk)[0]?.[1] ?? [];
      expect(lines.join('').length).toBeGreaterThan(2 ** 19);
      expect(lines.join('').length).toBeLessThan(2 ** 20 + 1000);
    });
  });

  it('exposes the size of its files', async () => {
    const { disk, record, listed, samples } = setUp();
    await record(listed());
    expect(samples()).toEqual([disk.lines().join('\n').length + 1, 0]);
  });
});
