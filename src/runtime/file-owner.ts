import { readFile } from 'node:fs/promises';
import { err, ok, type Result } from '../kernel/result.ts';

/** Numbers of the user and the group of a file. */
export interface FileOwner {
  readonly user: number;
  readonly group: number;
}

/** Files that list the users and groups of this host. */
interface AccountFiles {
  readonly users: string;
  readonly groups: string;
}

const hostAccounts: AccountFiles = { users: '/etc/passwd', groups: '/etc/group' };

/**
 * Finds `USER` or `USER:GROUP`, by name or number, among the local users and groups. The default group is that of the user.
 * With a group, numbers need no rows: an image may have no list of groups.
 */
export async function findOwner(owner: string, accounts = hostAccounts): Promise<Result<FileOwner, string>> {
  const [userName = '', groupName] = owner.split(':');
  const user =
    (await findAccount(accounts.users, userName)) ?? (groupName === undefined ? undefined : numbered(userName));
  if (user === undefined) return err(`no user '${userName}' in ${accounts.users}`);
  if (groupName === undefined) return ok({ user: user.id, group: user.group });
  const group = (await findAccount(accounts.groups, groupName)) ?? numbered(groupName);
  return group === undefined
    ? err(`no group '${groupName}' in ${accounts.groups}`)
    : ok({ user: user.id, group: group.id });
}

/** Account that is known by its number only. */
function numbered(name: string): { id: number; group: number } | undefined {
  const id = Number(name);
  return /^\d+$/.test(name) && id < 2 ** 32 - 1 ? { id, group: id } : undefined;
}

/** Row `name:password:id:group…` with this name or number. Only rows of users have the number of a group. */
async function findAccount(file: string, name: string): Promise<{ id: number; group: number } | undefined> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const rows = text.split('\n').map((line) => line.split(':'));
  const [, , id = '', group = ''] = rows.find(([rowName, , rowId]) => rowName === name || rowId === name) ?? [];
  return /^\d+$/.test(id) && name !== '' ? { id: Number(id), group: Number(group) } : undefined;
}
