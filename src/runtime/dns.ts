import { lookup, Resolver } from 'node:dns/promises';
import { err, ok, type Result } from '../kernel/result.ts';
import type { Dns, SrvRecord } from '../kernel/system.ts';
import type { Millis } from '../kernel/time.ts';

/** Resolver of names; tests replace it. */
export interface DnsResolver {
  srv(name: string): Promise<readonly { readonly name: string; readonly port: number; readonly priority: number }[]>;
  addresses(name: string): Promise<readonly { readonly address: string }[]>;
}

/** Timeout of one lookup. */
const dnsTimeout: Millis = 5_000;

/**
 * SRV records come from the configured name servers; addresses from the system's own resolver, which knows the
 * hosts file and the search domains that short names in a cluster need.
 */
const systemResolver: DnsResolver = {
  srv: (name) => new Resolver({ timeout: 2_000, tries: 2 }).resolveSrv(name),
  addresses: (name) => lookup(name, { all: true }),
};

/** Creates a name resolver with a timeout. Results are sorted and unique, so that they can be compared. */
export function dns(lookups: DnsResolver = systemResolver, timeout: Millis = dnsTimeout): Dns {
  return {
    srv: async (name) => {
      const answer = await resolve(name, timeout, () => lookups.srv(name));
      if (!answer.ok) return answer;
      const records = answer.value.toSorted(
        (a, b) => a.priority - b.priority || compareRecords(a.name, b.name) || a.port - b.port,
      );
      return ok(unique(records.map(({ name: target, port }): SrvRecord => ({ name: target, port }))));
    },
    addresses: async (name) => {
      const answer = await resolve(name, timeout, () => lookups.addresses(name));
      return answer.ok ? ok([...new Set(answer.value.map(({ address }) => address))].toSorted(compareRecords)) : answer;
    },
  };
}

async function resolve<T>(name: string, timeout: Millis, lookUp: () => Promise<T>): Promise<Result<T, string>> {
  const late = Promise.withResolvers<Result<T, string>>();
  const timer = setTimeout(() => late.resolve(err(`looking up '${name}' took longer than ${timeout} ms`)), timeout);
  const answer = lookUp().then(ok, (error: unknown) => err(`cannot look up '${name}': ${failureMessage(error)}`));
  const first = await Promise.race([answer, late.promise]);
  clearTimeout(timer);
  return first;
}

function unique(records: readonly SrvRecord[]): readonly SrvRecord[] {
  return [...new Map(records.map((record) => [`${record.name}:${record.port}`, record])).values()];
}

function compareRecords(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function failureMessage(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unexpected error';
  return code === 'ENOTFOUND' || code === 'ENODATA' ? 'no such name' : code;
}
