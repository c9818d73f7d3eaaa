import { expect, it } from 'vitest';
import type { Evidence } from '../../../../crash/guard/evidence.ts';
import { chancesOf } from '../../../../crash/guard/oracle/chances.ts';
import { asked, begin, evidenceOf, listed, ran, row } from '../logs.ts';

/** Of a first life that is killed after 8 s. */
function chance(part: Partial<Evidence>) {
  const lives = [{ from: begin, killedAt: begin + 8000 }];
  return chancesOf(evidenceOf({ lives, ran: [ran('a')], calls: [listed(1000)], ...part }))[0];
}

it('a life that listed and had time and room was one', () => {
  expect(chance({})).toEqual({ isEnough: true, asked: 0 });
});

it.each<[string, Partial<Evidence>]>([
  ['never listed anything', { calls: [] }],
  ['listed too late', { calls: [listed(5500)] }],
  ['had spent the budget of the cluster', { rows: [row('a', 3000), row('b', 3000), row('c', 3000)] }],
])('a life that %s was none', (_, part) => {
  expect(chance(part)).toEqual({ isEnough: false, asked: 0 });
});

it('room on one node is enough', () => {
  const rows = [row('a', 3000), row('b', 3000)];
  expect(chance({ rows })).toMatchObject({ isEnough: false });
  expect(chance({ rows, ran: [ran('a'), ran('a', { node: 'm2' })] })).toMatchObject({ isEnough: true });
});

it('a life that asked for an abort had time enough, however short', () => {
  const lives = [
    { from: begin, killedAt: begin + 1000 },
    { from: begin + 1000, killedAt: begin + 2000 },
  ];
  expect(chancesOf(evidenceOf({ lives, calls: [listed(100), asked('a', 900)] }))).toEqual([
    { isEnough: true, asked: 1 },
    { isEnough: false, asked: 0 },
  ]);
});
