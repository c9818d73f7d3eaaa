import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { err, ok } from '../../src/kernel/result.ts';
import { findOwner } from '../../src/runtime/file-owner.ts';
import { createFile } from '../../src/runtime/files.ts';
import { temporaryFolder } from '../support/live-ports.ts';

async function accounts() {
  const folder = await temporaryFolder();
  const [users, groups] = [join(folder, 'passwd'), join(folder, 'group')];
  await writeFile(users, 'root:x:0:0:root:/root:/bin/bash\nwarden:x:995:994::/:/bin/false\nodd:x:none:1\n');
  await writeFile(groups, 'root:x:0:\nmonitoring:x:990:warden\n');
  return { users, groups };
}

describe('an owner', () => {
  it.each([
    ['warden', { user: 995, group: 994 }],
    ['995', { user: 995, group: 994 }],
    ['root:monitoring', { user: 0, group: 990 }],
    ['0:990', { user: 0, group: 990 }],
    ['0:65532', { user: 0, group: 65_532 }],
    ['65532:root', { user: 65_532, group: 0 }],
  ])('%s is found among the local users and groups', async (owner, expected) => {
    expect(await findOwner(owner, await accounts())).toEqual(ok(expected));
  });

  it('that does not exist is an error', async () => {
    const files = await accounts();
    for (const name of ['alice', '', 'odd', 'x', '65532', '4294967295'])
      expect(await findOwner(name, files)).toEqual(err(`no user '${name}' in ${files.users}`));
    expect(await findOwner('root:', files)).toEqual(err(`no group '' in ${files.groups}`));
    expect(await findOwner('root:wheel', files)).toEqual(err(`no group 'wheel' in ${files.groups}`));
  });
});

describe('a new file with an owner', () => {
  it('has mode 0640 and the requested owner', async () => {
    const path = join(await temporaryFolder(), 'graphwarden.yml');
    const present = `${process.getuid?.()}:${process.getgid?.()}`;
    expect(await createFile(path, 'text', present)).toEqual(ok(undefined));
    const { uid, gid, mode } = await stat(path);
    expect([`${uid}:${gid}`, mode & 0o777]).toEqual([present, 0o640]);
  });

  it('is not created if the owner does not exist', async () => {
    const path = join(await temporaryFolder(), 'graphwarden.yml');
    expect(await createFile(path, 'text', 'no-such-user')).toMatchObject({
      ok: false,
      error: expect.stringContaining("no user 'no-such-user'"),
    });
    await expect(stat(path)).rejects.toThrow('ENOENT');
  });
});
