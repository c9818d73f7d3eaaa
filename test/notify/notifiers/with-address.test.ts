import { describe, expect, it } from 'vitest';
import { createSecretReader } from '../../../src/graphdb/secret-reader.ts';
import type { Answer } from '../../../src/notify/notifier.ts';
import { withAddress } from '../../../src/notify/notifiers/with-address.ts';
import { FakeFiles } from '../../support/fake-files.ts';

const files = new FakeFiles({
  good: ' https://hooks.test/x?token=hush \n',
  word: 'hush',
  ftp: 'ftp://hooks.test/hush',
  user: 'https://u:hush@hooks.test/',
});

/** What became of one file, and which addresses were used. */
async function attempted(file: string) {
  const used: string[] = [];
  const attempt = async (address: string): Promise<Answer> => {
    used.push(address);
    return { kind: 'accepted' };
  };
  const answer = await withAddress(createSecretReader({ file }, files), attempt);
  return { used, answer };
}

describe('an attempt at an address that is a secret', () => {
  it('uses all of it, its query too', async () => {
    const { used, answer } = await attempted('good');
    expect(used).toEqual(['https://hooks.test/x?token=hush']);
    expect(answer.kind).toBe('accepted');
  });

  it.each([
    ['word', 'no address that begins with https://'],
    ['ftp', 'no address that begins with https://'],
    ['user', 'holds a user or a password'],
    ['missing', 'there is no secret'],
  ])('is none where it is %s, and tells nothing of it', async (file, message) => {
    const { used, answer } = await attempted(file);
    expect(used).toEqual([]);
    expect(answer).toEqual({ kind: 'broken', message: expect.stringContaining(message) });
    expect(JSON.stringify(answer)).not.toContain('hush');
  });
});
