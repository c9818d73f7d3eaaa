import { describe, expect, it } from 'vitest';
import { knownStatusOrUnrecognized, statusCodesOf, statusNameOf } from '../../src/track/status-codes.ts';
import { parsedFamily } from '../support/informant-page.ts';

describe('the codes of a page', () => {
  it('come from the family of the detected prefix', () => {
    const families = [
      parsedFamily('svc_cpu_usage', [[{ host_id: 'm1', service_name: 'GPE' }, '3']]),
      parsedFamily('svc_service_status', [
        [{ partition: '1', replica: '2', service_name: 'GPE' }, '6'],
        [{ partition: '', replica: '1', service_name: 'RESTPP' }, '2.7e+01'],
      ]),
      parsedFamily('other_service_status', [[{ service_name: 'GSE' }, '24']]),
    ];
    expect(statusCodesOf(families, 'svc_')).toEqual([
      { service: 'GPE', partition: '1', replica: '2', code: 6 },
      { service: 'RESTPP', partition: '', replica: '1', code: 27 },
    ]);
  });

  it('have no partition and replica if the page has none', () => {
    const families = [parsedFamily('svc_service_status', [[{ service_name: 'ETCD' }, '6']])];
    expect(statusCodesOf(families, 'svc_')).toEqual([{ service: 'ETCD', partition: '', replica: '', code: 6 }]);
  });

  it('are empty on a page without the family', () => {
    expect(statusCodesOf([], 'svc_')).toEqual([]);
    expect(statusCodesOf([parsedFamily('svc_service_status', [])], 'svc_')).toEqual([]);
  });
});

describe('a code', () => {
  it.each([
    [0, 'StatusUnchanged'],
    [3, 'StatusUnknown'],
    [6, 'Online'],
    [27, 'Down'],
    [7, 'unrecognised'],
    [-1, 'unrecognised'],
    [6.5, 'unrecognised'],
    [Number.NaN, 'unrecognised'],
  ])('%d is %s', (code, word) => {
    expect(statusNameOf(code)).toBe(word);
  });
});

describe('status in metrics', () => {
  it.each([
    ['Online', 'Online'],
    ['online', 'unrecognised'],
    ['toString', 'unrecognised'],
    ['', 'unrecognised'],
  ])('%j is %s', (status, word) => {
    expect(knownStatusOrUnrecognized(status)).toBe(word);
  });
});
