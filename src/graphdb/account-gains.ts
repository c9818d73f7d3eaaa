import { z } from 'zod';
import type { KeptText } from '../kernel/kept-text.ts';
import type { Digest } from '../kernel/system.ts';
import type { Clock, Millis } from '../kernel/time.ts';
import { type Account, type AccountGains, type AccountList, destructivePrivileges } from '../model/users.ts';

/** Time after which an account that is no longer listed is forgotten: an incomplete list must not look like a grant. */
const forgetAfter: Millis = 3_600_000;

/** Age of the list before up to which failed logins are counted: alerts call them recent. */
const recentFor: Millis = 3_600_000;

const superuser = 'superuser';
const count = z.int().min(0);

const knownAccount = z.object({ failed: count, held: z.array(z.string()), absentSince: z.number().optional() });

const listState = z.object({
  at: z.number(),
  gains: z.object({
    failedLogins: count,
    superusers: count,
    privileges: z.partialRecord(z.enum(destructivePrivileges), count),
  }),
  /** Accounts by the digest of their name, because names of people are not stored. */
  accounts: z.record(z.string(), knownAccount),
});

const storedLists = z.object({ users: listState.optional(), groups: listState.optional() });

type KnownAccount = Readonly<z.output<typeof knownAccount>>;
type ListState = Readonly<z.output<typeof listState>>;
type StoredLists = Readonly<z.output<typeof storedLists>>;

/** Compares each list of accounts with the one before, which may be of an earlier process. */
export type AccountComparison = (
  list: keyof StoredLists,
  accounts: readonly Account[],
  ports: { readonly clock: Clock; readonly digest: Digest },
) => Promise<AccountList>;

/**
 * Creates the comparison of the accounts of a cluster. Counts of holders cannot show who gained a privilege: a superuser
 * who is demoted moves from one count to another, and a grant hides behind a revocation.
 */
export function createAccountComparison(memory?: KeptText): AccountComparison {
  let loading: Promise<string | undefined> | undefined;
  let state: StoredLists | undefined;
  return async (list, accounts, { clock, digest }) => {
    loading ??= memory?.load() ?? Promise.resolve(undefined);
    const stored = await loading;
    state ??= parseState(stored);
    // The client limits the length of the list.
    const present = new Map(accounts.map((one) => [digest.sha256(one.name).slice(0, 24), one]));
    const next = compareAccounts(state[list], present, clock.now().wall);
    state = { ...state, [list]: next };
    memory?.save(JSON.stringify(state));
    return { accounts, gains: next.gains };
  };
}

function parseState(text: string | undefined): StoredLists {
  if (text === undefined) return {};
  try {
    return storedLists.catch({}).parse(JSON.parse(text));
  } catch {
    return {};
  }
}

function compareAccounts(before: ListState | undefined, present: ReadonlyMap<string, Account>, at: number): ListState {
  const next = new Map<string, KnownAccount>();
  for (const [key, one] of Object.entries(before?.accounts ?? {})) {
    const absentSince = one.absentSince ?? at;
    if (!present.has(key) && at - absentSince <= forgetAfter) next.set(key, { ...one, absentSince });
  }
  const gained = { failedLogins: 0, superusers: 0, privileges: new Map<string, number>() };
  for (const [key, account] of present) {
    const known = before?.accounts[key];
    next.set(key, { failed: account.failedLogins, held: heldBy(account) });
    if (before === undefined) continue;
    if (at - before.at <= recentFor) gained.failedLogins += newFailures(account.failedLogins, known?.failed ?? 0);
    const held = new Set(known?.held);
    if (held.has(superuser)) continue;
    if (account.isSuperuser) gained.superusers += 1;
    else
      addAll(
        gained.privileges,
        heldBy(account).filter((name) => !held.has(name)),
      );
  }
  return { at, gains: addGains(before?.gains, gained), accounts: Object.fromEntries(next) };
}

/** Returns the number of failed logins since the list before. A successful login resets the count of the server. */
function newFailures(now: number, before: number): number {
  return now >= before ? now - before : now;
}

function heldBy({ isSuperuser, grants }: Account): string[] {
  return [...(isSuperuser ? [superuser] : []), ...new Set(grants.map(({ privilege }) => privilege))];
}

function addAll(counts: Map<string, number>, names: readonly string[]): void {
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
}

interface NewGains extends Omit<ListState['gains'], 'privileges'> {
  readonly privileges: ReadonlyMap<string, number>;
}

function addGains(before: ListState['gains'] | undefined, more: NewGains): ListState['gains'] {
  const privileges: Partial<Record<keyof AccountGains['privileges'], number>> = {};
  for (const name of destructivePrivileges) {
    privileges[name] = (before?.privileges[name] ?? 0) + (more.privileges.get(name) ?? 0);
  }
  return {
    failedLogins: (before?.failedLogins ?? 0) + more.failedLogins,
    superusers: (before?.superusers ?? 0) + more.superusers,
    privileges,
  };
}
