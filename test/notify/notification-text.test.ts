import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  describeMissed,
  formatLabels,
  headline,
  incidentId,
  singleLine,
  toJson,
  truncate,
} from '../../src/notify/notification-text.ts';
import { anyCharacter } from '../support/any-character.ts';
import { firingAlert } from '../support/notifications.ts';

describe('notification texts', () => {
  it('identify an incident by its key and number', () => {
    expect(incidentId(firingAlert())).toBe('a1b2c3d4e5f60718293a4b5c6d7e8f90-3');
    expect(incidentId({ key: 'x'.repeat(400), episode: 7 })).toHaveLength(202);
  });

  it('are never longer than allowed and always well-formed', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), fc.integer({ min: 1, max: 40 }), (text, most) => {
        const short = truncate(text, most);
        expect(short.length).toBeLessThanOrEqual(most);
        expect(short.isWellFormed()).toBe(true);
        if (text.length <= most) expect(short).toBe(text);
        else expect(short.endsWith('…')).toBe(true);
      }),
    );
  });

  it('do not split a character', () => {
    expect(truncate('ab😀', 4)).toBe('ab😀');
    expect(truncate('ab😀c', 4)).toBe('ab…');
  });

  it('are one line if one line is needed', () => {
    expect(singleLine(' a\r\n\tb\u2028c\u0000 ')).toBe('a b c');
  });

  it('always have a headline', () => {
    expect(headline(firingAlert(), 'full', 1024)).toBe('GPE_1#1 on m1 is down');
    expect(headline(firingAlert(), 'minimal', 1024)).toBe('GraphdbServiceNotOnline prod');
    expect(headline(firingAlert({ annotations: {} }), 'full', 1024)).toBe('GraphdbServiceNotOnline prod');
    expect(headline(firingAlert({ annotations: { summary: ' \n ' }, labels: {} }), 'full', 99)).toBe(
      'service_not_online',
    );
    const long = firingAlert({ annotations: { summary: 'x'.repeat(5000) } });
    expect(headline(long, 'full', 1024)).toHaveLength(1024);
    expect(headline(long, 'short', 1024)).toHaveLength(250);
  });

  it('are JSON without unpaired surrogates', () => {
    expect(JSON.parse(toJson({ a: ['\uD800x', 1, null], b: '😀' }))).toEqual({ a: ['\uFFFDx', 1, null], b: '😀' });
    expect(toJson({ a: '\uDC00' })).not.toContain('\\ud');
  });

  it.each([
    [{ count: 1, open: 0 }, '1 incident began and ended before a notification could be sent.'],
    [{ count: 2, open: 5 }, '2 incidents began and ended before a notification could be sent.'],
    [
      { count: 0, open: 0, since: 0 },
      'No notification was accepted here since 1970-01-01 00:00:00 UTC; 0 incidents began and ended meanwhile.',
    ],
    [
      { count: 1, open: 3, since: 0 },
      'No notification was accepted here since 1970-01-01 00:00:00 UTC; 1 incident began and ended meanwhile. 3 open incidents follow.',
    ],
  ])('describe the digest %j', (digest, said) => {
    expect(describeMissed({ kind: 'digest', missed: [], ...digest })).toBe(said);
  });

  it('list labels without the skipped ones', () => {
    expect(formatLabels({ b: '2', a: '1\n', empty: '', severity: 'info' }, ['severity'])).toBe('a=1, b=2');
  });
});
