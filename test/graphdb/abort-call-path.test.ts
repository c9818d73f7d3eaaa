import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { abortPath } from '../../src/graphdb/abort-call.ts';
import { idAt } from '../guard/observations.ts';
import { anyCharacter } from '../support/any-character.ts';

const good = idAt(0);
const nasty = [
  '',
  'all',
  '*',
  '.*',
  '%',
  '%00',
  '\0',
  '\n',
  '\r\n',
  ' ',
  '&url=*',
  '&requestid=all',
  '?',
  '#',
  '/',
  '..',
  '\\',
  '%26url%3D*',
  'requestid=',
  ',',
  ';',
  '１',
  '٣',
  'ﬀ',
  '\u202e',
  '\ud800',
  '__proto__',
  'RESTPP',
  '.N',
  '.N\n',
];

/** A proper id or graph that something was done to, or anything at all. */
function hostile(proper: string): fc.Arbitrary<string> {
  const piece = fc.constantFrom(...nasty);
  const cut = fc.tuple(fc.nat(proper.length), fc.nat(proper.length), piece);
  return fc.oneof(
    { weight: 1, arbitrary: fc.constant(proper) },
    { weight: 3, arbitrary: cut.map(([from, to, text]) => proper.slice(0, from) + text + proper.slice(to)) },
    { weight: 1, arbitrary: fc.array(piece, { maxLength: 4 }).map((texts) => texts.join('')) },
    { weight: 1, arbitrary: fc.string({ unit: anyCharacter, maxLength: 60 }) },
    { weight: 1, arbitrary: fc.nat(40).map((times) => proper.repeat(times * 10)) },
    { weight: 1, arbitrary: piece.map((text) => encodeURIComponent(text === '\ud800' ? '' : text) + proper) },
  );
}

describe('abortPath', () => {
  it('has one id and one graph', () => {
    expect(abortPath({ id: good, graph: 'fraud' })).toEqual({
      ok: true,
      value: `/abortquery/fraud?requestid=${good}`,
    });
  });

  it.each(nasty)('refuses the id %j', (id) => {
    expect(abortPath({ id, graph: 'fraud' })).toEqual({ ok: false, error: 'id' });
    expect(abortPath({ id: good + id, graph: 'fraud' }).ok).toBe(id === '');
  });

  it.each(nasty.filter((text) => !/^\w+$/.test(text)))('refuses the graph %j', (graph) => {
    expect(abortPath({ id: good, graph })).toEqual({ ok: false, error: 'graph' });
  });

  it('rejects every other of 120,000 hostile ids and graphs', () => {
    let passed = 0;
    fc.assert(
      fc.property(hostile(good), hostile('fraud'), (id, graph) => {
        const path = abortPath({ id, graph });
        if (!path.ok) return;
        passed += 1;
        expect(path.value).toMatch(
          /^\/abortquery\/[A-Za-z_]\w{0,127}\?requestid=\d{1,20}\.RESTPP_\d{1,4}_\d{1,4}\.\d{13}\.N$/,
        );
        const { pathname, searchParams, hash } = new URL(path.value, 'http://node');
        expect([pathname, [...searchParams], hash]).toEqual([`/abortquery/${graph}`, [['requestid', id]], '']);
      }),
      { numRuns: 120_000, seed: 4 },
    );
    expect(passed).toBeGreaterThan(500);
  });
});
