import { describe, expect, it } from 'vitest';
import { readReport } from '../../src/cli/read-report.ts';

const item = {
  at: '2026-09-22T04:53:20.125Z',
  cluster: 'prod',
  service: 'GPE',
  partition: '1',
  replica: '2',
  from: 'Online',
  to: 'Down',
  lastedSeconds: 7325.4,
  process: 'Stopped',
  source: 'm1',
  eventId: 'e',
  eventNs: '1',
};

describe('a page of transitions', () => {
  it('is read as it is', () => {
    expect(readReport({ items: [item], total: 7, limit: 1, offset: 0 })).toEqual({ items: [item], total: 7 });
  });

  it('may lack what another version does not say', () => {
    const { at, service } = item;
    expect(readReport({ items: [{ at, service, more: true }], total: 1 })?.items[0]).toMatchObject({
      at,
      service,
      cluster: '',
      lastedSeconds: null,
    });
  });

  it.each([
    null,
    'page',
    [],
    {},
    { items: 'many', total: 1 },
    { items: [], total: '1' },
    { items: [null], total: 1 },
    { items: [{ ...item, at: 'now' }], total: 1 },
    { items: [{ ...item, service: 7 }], total: 1 },
  ])('is not %j', (answer) => {
    expect(readReport(answer)).toBeUndefined();
  });
});
