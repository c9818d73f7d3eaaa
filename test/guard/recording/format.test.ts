import { describe, expect, it } from 'vitest';
import {
  entrySchema,
  eventSchema,
  headerSchema,
  recordingFormat,
  recordingVersion,
} from '../../../src/guard/recording/format.ts';
import { failureReasons } from '../../../src/kernel/failure.ts';
import { changesText } from '../../support/case-titles.ts';
import { at, idAt } from '../observations.ts';
import { headerOf } from './recordings.ts';

const sound = { id: idAt(0), start: '2026-09-21 14:13:20.000', elapsed: 0, query: '/query/fraud/ring_scan' };

function titled<Entry>(entry: Entry): readonly [title: string, entry: Entry] {
  return [changesText(entry, sound), entry];
}

describe('recording format', () => {
  it('accepts every failure reason', () => {
    for (const reason of failureReasons) {
      expect(eventSchema.safeParse({ event: 'unlisted', node: 'n1', at: at(0), reason }).success, reason).toBe(true);
    }
    expect(eventSchema.safeParse({ event: 'unlisted', node: 'n1', at: at(0), reason: 'gone' }).success).toBe(false);
  });

  it('requires its name and version in the header', () => {
    expect(headerSchema.parse(headerOf())).toMatchObject({ format: recordingFormat, version: recordingVersion });
    expect(headerSchema.safeParse({ ...headerOf(), version: recordingVersion + 1 }).success).toBe(false);
    expect(headerSchema.safeParse({ ...headerOf(), guard: 'none' }).success).toBe(false);
    expect(headerSchema.safeParse({ ...headerOf(), gates: ['disk'] }).success).toBe(false);
  });

  it.each(
    [
      sound,
      { ...sound, end: '2026-09-21 14:13:36', method: 'GET', params: '01', changed: 3 },
      { ...sound, query: 'builtin' },
      { skipped: true },
      { skipped: true, id: '?12' },
      { skipped: true, id: idAt(0) },
    ].map(titled),
  )('accepts an entry with %s (case %$)', (_, entry) => {
    expect(entrySchema.parse(entry)).toEqual(entry);
  });

  it.each(
    [
      {},
      { skipped: false },
      { skipped: true, id: 'all' },
      { skipped: true, url: '/' },
      { ...sound, id: '?1' },
      { ...sound, start: '' },
      { ...sound, end: 'late' },
      { ...sound, elapsed: '1' },
      { ...sound, query: '/query/fraud' },
      { ...sound, query: '/query/fraud/a b' },
      { ...sound, params: '2' },
      { ...sound, params: '' },
      { ...sound, changed: 0 },
      { ...sound, url: '/query/fraud/ring_scan' },
    ].map(titled),
  )('rejects an entry with %s', (_, entry) => {
    expect(entrySchema.safeParse(entry).success).toBe(false);
  });
});
