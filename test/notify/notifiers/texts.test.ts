import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  headline,
  incidentId,
  isoTime,
  jsonOf,
  labelsInWords,
  missedInWords,
  oneLine,
  shorten,
  shortId,
  timeInWords,
} from '../../../src/notify/notifiers/texts.ts';
import { alertOf } from '../../support/letters.ts';

describe('the texts of letters', () => {
  it('name an incident the same for machines and, shorter, for people', () => {
    expect(incidentId(alertOf())).toBe('a1b2c3d4e5f60718293a4b5c6d7e8f90-3');
    expect(shortId(alertOf())).toBe('a1b2c3d4e5f6-3');
    expect(incidentId({ key: 'x'.repeat(400), episode: 7 })).toHaveLength(202);
  });

  it('are never longer than allowed, and always well-formed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 40 }), (text, most) => {
        const short = shorten(text, most);
        expect(short.length).toBeLessThanOrEqual(most);
        expect(short.isWellFormed()).toBe(true);
        if (text.length <= most) expect(short).toBe(text);
        else expect(short.endsWith('…')).toBe(true);
      }),
    );
  });

  it('cut no character in two', () => {
    expect(shorten('ab😀', 4)).toBe('ab😀');
    expect(shorten('ab😀c', 4)).toBe('ab…');
  });

  it('are one line where one line is wanted', () => {
    expect(oneLine(' a\r\n\tb\u2028c\u0000 ')).toBe('a b c');
  });

  it('always have a headline', () => {
    expect(headline(alertOf(), 'full', 1024)).toBe('GPE 1#1 on m1 is down');
    expect(headline(alertOf(), 'minimal', 1024)).toBe('GraphdbServiceNotOnline prod');
    expect(headline(alertOf({ annotations: {} }), 'full', 1024)).toBe('GraphdbServiceNotOnline prod');
    expect(headline(alertOf({ annotations: { summary: ' \n ' }, labels: {} }), 'full', 99)).toBe('service_not_online');
    const long = alertOf({ annotations: { summary: 'x'.repeat(5000) } });
    expect(headline(long, 'full', 1024)).toHaveLength(1024);
    expect(headline(long, 'short', 1024)).toHaveLength(250);
  });

  it('are JSON that holds whole characters alone', () => {
    expect(JSON.parse(jsonOf({ a: ['\uD800x', 1, null], b: '😀' }))).toEqual({ a: ['\uFFFDx', 1, null], b: '😀' });
    expect(jsonOf({ a: '\uDC00' })).not.toContain('\\ud');
  });

  it.each([
    [{ count: 1, open: 0 }, '1 incident began and ended before this could be told.'],
    [{ count: 2, open: 5 }, '2 incidents began and ended before this could be told.'],
    [
      { count: 0, open: 0, since: 0 },
      'Nothing could be delivered here since 1970-01-01 00:00:00 UTC; 0 incidents began and ended meanwhile.',
    ],
    [
      { count: 1, open: 3, since: 0 },
      'Nothing could be delivered here since 1970-01-01 00:00:00 UTC; 1 incident began and ended meanwhile. What is open follows (3).',
    ],
  ])('say of %j why it was missed', (digest, said) => {
    expect(missedInWords({ kind: 'digest', folded: [], ...digest })).toBe(said);
  });

  it('tell labels and times as people read them', () => {
    expect(labelsInWords({ b: '2', a: '1\n', empty: '', severity: 'info' }, ['severity'])).toBe('a=1, b=2');
    expect(isoTime(0)).toBe('1970-01-01T00:00:00.000Z');
    expect(timeInWords(1_234)).toBe('1970-01-01 00:00:01 UTC');
  });
});
