import { describe, expect, it } from 'vitest';
import { type DnsResolver, dns } from '../../src/runtime/dns.ts';

function answering(lookups: Partial<DnsResolver>): DnsResolver {
  return {
    srv: () => Promise.reject(new Error('not requested in this test')),
    addresses: () => Promise.reject(new Error('not requested in this test')),
    ...lookups,
  };
}

function failing(code: string): () => Promise<never> {
  return () => Promise.reject(Object.assign(new Error('resolver says no'), { code }));
}

describe('services', () => {
  it('are sorted by priority and name, each once', async () => {
    const records = [
      { name: 'm2.db', port: 14240, priority: 10 },
      { name: 'm3.db', port: 14240, priority: 5 },
      { name: 'm1.db', port: 14240, priority: 10 },
      { name: 'm1.db', port: 14240, priority: 10 },
      { name: 'm1.db', port: 14241, priority: 10 },
    ];
    expect(await dns(answering({ srv: async () => records })).srv('_nginx._tcp.db')).toEqual({
      ok: true,
      value: [
        { name: 'm3.db', port: 14240 },
        { name: 'm1.db', port: 14240 },
        { name: 'm1.db', port: 14241 },
        { name: 'm2.db', port: 14240 },
      ],
    });
  });

  it.each([
    ['ENOTFOUND', 'no such name'],
    ['ENODATA', 'no such name'],
    ['ECONNREFUSED', 'ECONNREFUSED'],
  ])('that are not found (%s) are an error that names the question', async (code, reason) => {
    expect(await dns(answering({ srv: failing(code) })).srv('_x._tcp.db')).toEqual({
      ok: false,
      error: `cannot look up '_x._tcp.db': ${reason}`,
    });
  });
});

describe('addresses', () => {
  it('are sorted, each once', async () => {
    const found = [{ address: '10.0.0.2' }, { address: '10.0.0.1' }, { address: '10.0.0.2' }];
    expect(await dns(answering({ addresses: async () => found })).addresses('db')).toEqual({
      ok: true,
      value: ['10.0.0.1', '10.0.0.2'],
    });
  });

  it('of this machine are resolved by the system', async () => {
    const found = await dns().addresses('localhost');
    expect(found.ok && found.value.some((address) => address === '127.0.0.1' || address === '::1')).toBe(true);
  });
});

it('a lookup times out if the resolver does not answer', async () => {
  const silent = dns(answering({ addresses: () => new Promise(() => {}) }), 20);
  expect(await silent.addresses('db')).toEqual({ ok: false, error: "looking up 'db' took longer than 20 ms" });
});
