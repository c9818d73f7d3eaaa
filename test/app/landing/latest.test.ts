import { expect, it } from 'vitest';
import { gaps, samplesOf } from '../../../src/app/landing/latest.ts';
import { services } from '../../../src/collect/services.ts';
import { latest, lines } from './told.ts';

const state = { service: 'GPE', partition: '1', replica: '1', process: '', eventId: '', timestampNs: '1' };
const facts = [{ ...state, status: 'Online' }];

it('finds the samples of a family', () => {
  const told = latest(services, { '': facts }).told[0] ?? expect.fail();
  expect([...samplesOf(told, 'graphdb_service_status_code')].map(({ value }) => value)).toEqual([6]);
  expect([...samplesOf(told, 'graphdb_nothing')]).toEqual([]);
});

it.each([
  ['nothing where all is there', { m1: facts }, {}, []],
  ['a reading that is still to come', {}, { waiting: true }, ['plain: Not read yet']],
  ['nothing of a node that was not read yet', { m1: facts }, { waiting: true }, []],
  ['a reading that fails', {}, { silent: [''] }, ["plain: Not known: reading 'services' fails"]],
  ['a reading that fails on every node', {}, { silent: ['m1', 'm2'] }, ["plain: Not known: reading 'services' fails"]],
  ['the nodes that are missing', { m1: facts }, { silent: ['m2', 'm3'] }, ['plain: Nothing is known of m2 and m3']],
])('says %s', (_, told, more, expected) => {
  expect(lines(gaps(latest(services, told, more)))).toEqual(expected);
});
