import { expect, it } from 'vitest';
import type { Evidence } from '../../../../crash/guard/evidence.ts';
import { wrongRequests } from '../../../../crash/guard/oracle/requests.ts';
import { aborted, asked, begin, evidenceOf, ran } from '../logs.ts';

function found(part: Partial<Evidence>): readonly string[] {
  return wrongRequests(evidenceOf(part)).map(({ kind, about }) => `${kind}: ${about}`);
}

it('one request for each runaway is as it should be, whatever its node calls it', () => {
  const twins = [ran('a'), ran('a', { node: 'm2' }), ran('b', { kind: 'brief' }), ran('c', { kind: 'zombie' })];
  const calls = [asked('a', 0), asked('a', 10, 'm2'), asked('b', 20), asked('c', 30)];
  expect(found({ ran: twins, calls, aborts: [aborted('a', 0), aborted('b', 20)] })).toEqual([]);
});

it('a second request for the same query is found, in whatever life', () => {
  const calls = [asked('a', 0), asked('a', 40_000)];
  expect(found({ ran: [ran('a')], calls })).toEqual(['asked twice: an abort of a of m1 was asked for again']);
});

it.each([
  ['none', ''],
  ['two', 'requestid=a&requestid=b'],
])('a request that names %s is found', (_, query) => {
  const calls = [{ ...asked('a', 0), query }];
  expect(found({ ran: [ran('a'), ran('b')], calls })).toHaveLength(1);
});

it.each(['protected', 'observed', 'elsewhere'] as const)('a request for one that is %s is found', (kind) => {
  const calls = [asked('a', 0)];
  expect(found({ ran: [ran('a', { kind })], calls })).toEqual([`not meant: a is ${kind}`]);
});

it('a request for one that nobody started is found', () => {
  expect(found({ ran: [ran('a', { node: 'm2' })], calls: [asked('a', 0)] })).toEqual([
    `not meant: a of m1 is nobody's runaway`,
  ]);
});

it('its age is what the server knows of it', () => {
  const [younger, old] = [1999, 2000].map((ago) => [ran('a', { kind: 'young', startedAt: begin - ago })]);
  expect(found({ ran: younger ?? [], calls: [asked('a', 0)] })).toEqual([
    'not meant: a (young) had run for 1999 ms alone',
  ]);
  expect(found({ ran: old ?? [], calls: [asked('a', 0)] })).toEqual([]);
});

it('what was aborted beyond what was named is found', () => {
  const aborts = [aborted('a', 0), aborted('b', 0)];
  expect(found({ ran: [ran('a'), ran('b')], calls: [asked('a', 0)], aborts })).toEqual([
    'not asked for: b of m1 was aborted, and nobody named it',
  ]);
});
