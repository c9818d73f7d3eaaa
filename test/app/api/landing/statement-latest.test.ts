import { expect, it } from 'vitest';
import { gaps, samplesOf } from '../../../../src/app/api/landing/statement.ts';
import { services } from '../../../../src/collect/services.ts';
import { latest, lines } from './landing-fixtures.ts';

const state = { service: 'GPE', partition: '1', replica: '1', process: '', eventId: '', timestampNs: '1' };
const facts = [{ ...state, status: 'Online' }];

it('finds the samples of a family', () => {
  const reported = latest(services, { '': facts }).reported[0] ?? expect.fail();
  expect([...samplesOf(reported, 'graphdb_service_status_code')].map(({ value }) => value)).toEqual([6]);
  expect([...samplesOf(reported, 'graphdb_nothing')]).toEqual([]);
});

it.each([
  ['nothing where all is there', { m1: facts }, {}, []],
  ['a poll that has not run yet', {}, { waiting: true }, ['plain: Not read yet']],
  ['nothing of a node that was not read yet', { m1: facts }, { waiting: true }, []],
  ['a poll that fails', {}, { silent: [''] }, ["plain: Not known: reading 'services' fails"]],
  ['a poll that fails on every node', {}, { silent: ['m1', 'm2'] }, ["plain: Not known: reading 'services' fails"]],
  ['the nodes that are missing', { m1: facts }, { silent: ['m2', 'm3'] }, ['plain: Nothing is known of m2 and m3']],
])('says %s', (_, reported, more, expected) => {
  expect(lines(gaps(latest(services, reported, more)))).toEqual(expected);
});
