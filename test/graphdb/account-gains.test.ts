import { describe, expect, it } from 'vitest';
import { createAccountComparison } from '../../src/graphdb/account-gains.ts';
import type { KeptText } from '../../src/kernel/kept-text.ts';
import type { Account, AccountGains, DestructivePrivilege } from '../../src/model/users.ts';
import { FakeClock } from '../support/clock.ts';
import { digest } from '../support/digest.ts';

const minute = 60_000;

function account(name: string, more: Partial<Account> = {}): Account {
  return { name, isSuperuser: false, isDisabled: false, failedLogins: 0, grants: [], ...more };
}

function holder(name: string, ...privileges: readonly DestructivePrivilege[]): Account {
  return account(name, { grants: privileges.map((privilege) => ({ privilege, graph: '' })) });
}

/** A text that stays in memory. */
function textMemory(text?: string): KeptText & { text: string | undefined } {
  const memory = {
    text,
    load: async () => memory.text,
    save: (next: string) => {
      memory.text = next;
    },
  };
  return memory;
}

function openComparison(memory = textMemory(), clock = new FakeClock()) {
  const comparison = createAccountComparison(memory);
  const list = async (...accounts: readonly Account[]) => {
    const { gains } = await comparison('users', accounts, { clock, digest });
    return gains;
  };
  return { memory, clock, list, comparison };
}

/** The gains of a list of users that follows another. */
async function gainsOf(before: readonly Account[], after: readonly Account[]): Promise<AccountGains> {
  const { list } = openComparison();
  await list(...before);
  return list(...after);
}

function granted({ privileges }: AccountGains): readonly string[] {
  return Object.entries(privileges).flatMap(([name, count]) => (count > 0 ? [`${name} ${count}`] : []));
}

describe('gained privileges', () => {
  it.each([
    ['a user gains one', [account('a')], [holder('a', 'DROP_ALL')], ['DROP_ALL 1']],
    ['a superuser is demoted', [account('a', { isSuperuser: true })], [holder('a', 'DROP_ALL')], []],
    ['a user becomes superuser', [account('a')], [{ ...holder('a', 'DROP_ALL'), isSuperuser: true }], []],
    [
      'another user loses it',
      [holder('a', 'DROP_ALL'), account('b')],
      [account('a'), holder('b', 'DROP_ALL')],
      ['DROP_ALL 1'],
    ],
    ['a new user has one', [account('a')], [account('a'), holder('b', 'DROP_ALL')], ['DROP_ALL 1']],
    ['a user gains it on a further graph', [holder('a', 'DROP_ALL')], [holder('a', 'DROP_ALL', 'DROP_ALL')], []],
    ['nothing changes', [holder('a', 'DROP_ALL')], [holder('a', 'DROP_ALL')], []],
  ] as const)('are counted if %s', async (_, before, after, expected) => {
    expect(granted(await gainsOf(before, after))).toEqual(expected);
  });

  it('are empty for the first list', async () => {
    expect(granted(await openComparison().list(holder('a', 'DROP_ALL')))).toEqual([]);
  });

  it('are counted separately for users and groups', async () => {
    const { comparison, clock } = openComparison();
    const ports = { clock, digest };
    await comparison('users', [account('a')], ports);
    await comparison('groups', [account('a')], ports);
    await comparison('groups', [holder('a', 'DROP_ALL')], ports);
    const [users, groups] = [await comparison('users', [account('a')], ports), await comparison('groups', [], ports)];
    expect([granted(users.gains), granted(groups.gains)]).toEqual([[], ['DROP_ALL 1']]);
  });
});

describe('new superusers', () => {
  it.each([
    ['a user becomes one', [account('a')], [account('a', { isSuperuser: true })], 1],
    [
      'one replaces another',
      [account('a', { isSuperuser: true }), account('b')],
      [account('a'), account('b', { isSuperuser: true })],
      1,
    ],
    ['one is demoted', [account('a', { isSuperuser: true })], [account('a')], 0],
  ] as const)('are counted if %s', async (_, before, after, expected) => {
    expect((await gainsOf(before, after)).superusers).toBe(expected);
  });
});

describe('failed logins', () => {
  const failing = (name: string, failedLogins: number): Account => account(name, { failedLogins });

  it.each([
    ['one user fails', [failing('a', 1)], [failing('a', 4)], 3],
    ['another user succeeds', [failing('a', 30), failing('b', 0)], [failing('a', 0), failing('b', 25)], 25],
    ['a user succeeds and fails again', [failing('a', 30)], [failing('a', 2)], 2],
    ['a new user fails', [], [failing('a', 2)], 2],
  ] as const)('are counted if %s', async (_, before, after, expected) => {
    expect((await gainsOf(before, after)).failedLogins).toBe(expected);
  });

  it('add up', async () => {
    const { list } = openComparison();
    await list(failing('a', 0));
    await list(failing('a', 5));
    expect((await list(failing('a', 0))).failedLogins).toBe(5);
    expect((await list(failing('a', 1))).failedLogins).toBe(6);
  });

  it('of an hour without a list are not counted, because their times are unknown', async () => {
    const { list, clock } = openComparison();
    await list(failing('a', 0));
    await clock.advance(61 * minute);
    expect((await list(failing('a', 50))).failedLogins).toBe(0);
    expect((await list(failing('a', 51))).failedLogins).toBe(1);
  });
});

describe('a list without some accounts', () => {
  it('does not report their privileges as gained when they return within the hour', async () => {
    const { list, clock } = openComparison();
    await list(holder('a', 'DROP_ALL'));
    await list();
    await clock.advance(59 * minute);
    expect(granted(await list(holder('a', 'DROP_ALL')))).toEqual([]);
  });

  it('drops them after an hour', async () => {
    const { list, clock } = openComparison();
    await list(holder('a', 'DROP_ALL'));
    await list();
    await clock.advance(61 * minute);
    await list();
    expect(granted(await list(holder('a', 'DROP_ALL')))).toEqual(['DROP_ALL 1']);
  });
});

describe('a restart', () => {
  it('continues the counts, and compares with the list before it', async () => {
    const first = openComparison();
    await first.list(account('a', { failedLogins: 1 }));
    await first.list(account('a', { failedLogins: 3 }));
    const second = openComparison(first.memory, first.clock);
    const gains = await second.list({ ...holder('a', 'DROP_ALL'), failedLogins: 4 });
    expect([gains.failedLogins, granted(gains)]).toEqual([3, ['DROP_ALL 1']]);
  });

  it('does not report earlier changes again', async () => {
    const first = openComparison();
    await first.list(account('a'));
    const before = await first.list(account('a', { isSuperuser: true }));
    const second = openComparison(first.memory, first.clock);
    expect(await second.list(account('a', { isSuperuser: true }))).toEqual(before);
  });

  it.each([undefined, '', '{', '[]', '{"users":7}', '{"users":{"at":"x"}}'])(
    'starts without a list for the kept text %j',
    async (text) => {
      expect(granted(await openComparison(textMemory(text)).list(holder('a', 'DROP_ALL')))).toEqual([]);
    },
  );

  it('stores no names', async () => {
    const { list, memory } = openComparison();
    await list(holder('CANARY4711', 'DROP_ALL'));
    expect(memory.text).toContain('DROP_ALL');
    expect(memory.text).not.toContain('CANARY4711');
  });
});
