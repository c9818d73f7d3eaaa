import { describe, expect, it } from 'vitest';
import { arrivalTime, parseRequestId } from '../../src/graphdb/query-identity.ts';

it.each([
  ['131087.RESTPP_1_1.1790000000723.N', 1790000000723],
  ['16973833.RESTPP_2_3.1558386411523.N', 1558386411523],
  ['33554434.RESTPP_1_1.1790000000123.A', 1790000000123],
])('request id › %s arrived at %i', (id, expected) => {
  expect(arrivalTime(id)).toBe(expected);
});

it.each([
  '',
  'N',
  '1.RESTPP_1_1.17900.N',
  '1.RESTPP_1_1.1790000000723',
  '1790000000723',
  'x.RESTPP_1_1.1790000000723.N',
])('request id › %j contains no time of arrival', (id) => {
  expect(arrivalTime(id)).toBeUndefined();
});

describe('the strict parser', () => {
  it('returns instance and time of arrival', () => {
    const id = '131087.RESTPP_12_3.1790000000723.N';
    expect(parseRequestId(id)).toEqual({ instance: 'RESTPP_12_3', arrivedAt: 1790000000723 });
  });

  it.each(['', 'all', '131087.GPE_1_1.1790000000723.N', '131087.RESTPP_1_1.1790000000723.A', '7.RESTPP_1_1.1790.N'])(
    'rejects %j',
    (id) => {
      expect(parseRequestId(id)).toBeUndefined();
    },
  );
});
