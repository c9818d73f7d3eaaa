import { describe, expect, it } from 'vitest';
import { entryLine, eventLine, headerLine, tapeFormat, tapeVersion } from '../../../src/guard/tape/format.ts';
import { failureReasons } from '../../../src/kernel/failure.ts';
import { at, idAt } from '../listed.ts';
import { headerOf } from './tapes.ts';

const sound = { id: idAt(0), start: '2026-09-21 14:13:20.000', elapsed: 0, query: '/query/fraud/ring_scan' };

describe('the format of recordings', () => {
  it('knows every failure that there is', () => {
    for (const reason of failureReasons) {
      expect(eventLine.safeParse({ event: 'unlisted', node: 'n1', at: at(0), reason }).success, reason).toBe(true);
    }
    expect(eventLine.safeParse({ event: 'unlisted', node: 'n1', at: at(0), reason: 'gone' }).success).toBe(false);
  });

  it('begins with its name and version', () => {
    expect(headerLine.parse(headerOf())).toMatchObject({ format: tapeFormat, version: tapeVersion });
    expect(headerLine.safeParse({ ...headerOf(), version: tapeVersion + 1 }).success).toBe(false);
    expect(headerLine.safeParse({ ...headerOf(), guard: 'none' }).success).toBe(false);
    expect(headerLine.safeParse({ ...headerOf(), pressures: ['disk'] }).success).toBe(false);
  });

  it.each([
    sound,
    { ...sound, end: '2026-09-21 14:13:36', method: 'GET', told: '01', changed: 3 },
    { ...sound, query: 'builtin' },
    { odd: true },
    { odd: true, id: '?12' },
    { odd: true, id: idAt(0) },
  ])('takes the entry %j', (entry) => {
    expect(entryLine.parse(entry)).toEqual(entry);
  });

  it.each([
    {},
    { odd: false },
    { odd: true, id: 'all' },
    { odd: true, url: '/' },
    { ...sound, id: '?1' },
    { ...sound, start: '' },
    { ...sound, end: 'late' },
    { ...sound, elapsed: '1' },
    { ...sound, query: '/query/fraud' },
    { ...sound, query: '/query/fraud/a b' },
    { ...sound, told: '2' },
    { ...sound, told: '' },
    { ...sound, changed: 0 },
    { ...sound, url: '/query/fraud/ring_scan' },
  ])('takes no entry %j', (entry) => {
    expect(entryLine.safeParse(entry).success).toBe(false);
  });
});
