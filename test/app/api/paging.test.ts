import { describe, expect, it } from 'vitest';
import { pagedReply } from '../../../src/app/api/paging.ts';
import { readReply } from '../fakes.ts';

const items = Array.from({ length: 250 }, (_, id) => ({ id, kind: id % 2 === 0 ? 'even' : 'odd' }));
const filters = { kind: (item: { kind: string }) => item.kind };

function page(query: string): { status: number; body: Record<string, unknown> & { items?: { id: number }[] } } {
  const { status, body } = readReply(pagedReply(items, new URLSearchParams(query), filters));
  return { status, body: JSON.parse(body) };
}

describe('page of a list', () => {
  it.each([
    ['', 100, 0, 250],
    ['limit=10', 10, 0, 250],
    ['limit=10&offset=5', 10, 5, 250],
    ['offset=245', 5, 245, 250],
    ['offset=999', 0, undefined, 250],
    ['limit=1000', 250, 0, 250],
    ['kind=odd&limit=1000', 125, 1, 125],
    ['kind=odd&limit=2&offset=1', 2, 3, 125],
    ['kind=none', 0, undefined, 0],
  ])('for %j has %i items from %s of %i', (query, count, first, total) => {
    const { status, body } = page(query);
    expect(status).toBe(200);
    expect(body.items).toHaveLength(count);
    expect(body.items?.[0]?.id).toBe(first);
    expect(body.total).toBe(total);
  });

  it('returns limit and offset', () => {
    expect(page('limit=7&offset=3').body).toMatchObject({ limit: 7, offset: 3 });
  });

  it.each([
    'limit=0',
    'limit=1001',
    'limit=-1',
    'limit=ten',
    'limit=1.5',
    'limit=',
    'limit=1e3',
    'offset=-1',
    'offset=x',
    'offset=99999999999999999999',
    'colour=red',
    'constructor=x',
  ])('rejects %j', (query) => {
    const { status, body } = page(query);
    expect(status).toBe(400);
    expect(body.detail).toMatch(/limit|offset|Parameter/);
  });
});
