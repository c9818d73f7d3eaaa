import { describe, expect, it } from 'vitest';
import { isRecordingName, RecordingFiles } from '../../../src/app/guard/recording-files.ts';
import { err } from '../../../src/kernel/result.ts';
import { FakeClock } from '../../support/clock.ts';
import { recordingLogger } from '../../support/logger.ts';
import { memoryLineFiles } from '../../support/memory-line-files.ts';

const bounds = { maxSize: 1600, maxAge: 1_600_000 };

function setUp() {
  const clock = new FakeClock();
  const log = recordingLogger();
  const disk = memoryLineFiles(clock);
  const open = () => new RecordingFiles({ clock, log, recordingFiles: disk, folder: '/state/recordings' });
  const files = open();
  const append = async (line: string, header = 'header', key = 'prod', to = files): Promise<void> => {
    to.append({ key, label: key, header }, line, bounds);
    await clock.settle();
  };
  return { clock, log, disk, files, open, append };
}

describe('recording files', () => {
  it('start with their header, and are rotated by size, age and header', async () => {
    const { clock, disk, append } = setUp();
    await append('one');
    await append('x'.repeat(100));
    await append('full');
    await clock.advance(100_000);
    await append('old');
    await append('other', 'another header');
    expect([...disk.contents]).toEqual([
      ['00000001-prod.jsonl', ['header', 'one', 'x'.repeat(100)]],
      ['00000002-prod.jsonl', ['header', 'full']],
      ['00000003-prod.jsonl', ['header', 'old']],
      ['00000004-prod.jsonl', ['another header', 'other']],
    ]);
  });

  it('never exceed the maximum size: the oldest are removed first, across clusters', async () => {
    const { disk, files, append } = setUp();
    const sizes: number[] = [];
    await append('first', 'header', 'lab/1');
    expect([...disk.contents.keys()]).toEqual(['00000001-lab_1.jsonl']);
    for (let line = 0; line < 60; line += 1) {
      await append(`${line}`.padEnd(50));
      const listed = await disk.list('/state/recordings');
      sizes.push(listed.ok ? listed.value.reduce((sum, { size }) => sum + size, 0) : Number.NaN);
    }
    expect(Math.max(...sizes)).toBeLessThanOrEqual(bounds.maxSize);
    expect(Math.max(...sizes)).toBeGreaterThan(bounds.maxSize * 0.8);
    expect(files.size).toBe(sizes.at(-1));
    expect(disk.lines().at(-1)).toBe('59'.padEnd(50));
    expect(disk.contents.has('00000001-lab_1.jsonl')).toBe(false);
    await append('second', 'header', 'lab/1');
    expect(disk.lines().at(-1)).toBe('second');
  });

  it('are removed at the maximum age, including those of earlier runs', async () => {
    const { clock, disk, append, open } = setUp();
    await append('before');
    await clock.advance(bounds.maxAge - 1);
    const restarted = open();
    await append('restarted', 'header', 'prod', restarted);
    expect([...disk.contents.keys()]).toEqual(['00000001-prod.jsonl', '00000002-prod.jsonl']);
    await clock.advance(2);
    await append('later', 'header', 'prod', restarted);
    expect([...disk.contents.keys()]).toEqual(['00000002-prod.jsonl']);
  });

  it('leave other files of the folder alone', async () => {
    const { disk, append, files } = setUp();
    disk.contents.set('notes.jsonl', ['x'.repeat(2000)]);
    await append('one');
    expect([disk.contents.has('notes.jsonl'), files.size]).toEqual([true, 'header\none\n'.length]);
    expect(['00000001-prod.jsonl', 'notes.jsonl', '1-a.jsonl'].map(isRecordingName)).toEqual([true, false, false]);
  });

  it('drop lines while the disk is full, which is logged once, and resume in a new file', async () => {
    const { clock, disk, files, log, append } = setUp();
    await append('before');
    disk.write = async () => err('the disk is full');
    for (const line of ['1', '2', '3']) await append(line);
    await clock.advance(30_000);
    await append('4');
    expect([files.dropped, disk.lines()]).toEqual([4, ['header', 'before']]);
    disk.write = undefined;
    await append('5');
    await clock.advance(30_000);
    await append('after');
    expect(files.dropped).toBe(5);
    expect(disk.lines()).toEqual(['header', 'before', 'header', 'after']);
    expect(log.lines.map(({ level, message, fields }) => [level, message, fields])).toEqual([
      ['warn', 'recording failed', { error: 'the disk is full' }],
      ['info', 'recording resumed', {}],
    ]);
  });

  it('drop lines while the disk hangs, hold a bounded number, and do not delay the stop', async () => {
    const { clock, disk, files, log } = setUp();
    disk.write = () => new Promise(() => undefined);
    const stream = { key: 'prod', label: 'prod', header: 'header' };
    for (let line = 0; line < 12; line += 1) {
      files.append(stream, 'x'.repeat(2 ** 20), { ...bounds, maxSize: 2 ** 26 });
    }
    expect(files.dropped).toBe(4);
    expect(log.lines.map(({ fields }) => fields)).toEqual([{ error: 'the disk is too slow' }]);
    const closed = files.close();
    await clock.advance(1000);
    await closed;
  });

  it('drop a line that exceeds the maximum size', async () => {
    const { disk, files, append } = setUp();
    await append('x'.repeat(1600));
    expect([files.dropped, disk.lines()]).toEqual([1, []]);
  });

  it('are created again after the folder was removed', async () => {
    const { clock, disk, append } = setUp();
    await append('one');
    disk.write = async () => err('no such file');
    await append('two');
    disk.contents.clear();
    disk.write = undefined;
    await clock.advance(30_000);
    await append('three');
    expect([...disk.contents]).toEqual([['00000002-prod.jsonl', ['header', 'three']]]);
  });
});
