import { describe, expect, it } from 'vitest';
import { Secret } from '../../src/kernel/secret.ts';
import { redactFields } from '../../src/runtime/log-fields.ts';

const canary = 'c4n4ry';

describe('secrets', () => {
  it.each([
    ['a Secret', { value: new Secret(canary) }],
    ['a Secret deep inside', { list: [{ deep: new Secret(canary) }] }],
    ['a field called so', { password: canary }],
    ['a header', { headers: { authorization: `Bearer ${canary}`, 'set-cookie': canary } }],
    ['a longer name', { read_token: canary, apiKey: canary, 'x-api-key': canary, client_secret: canary }],
    ['an object under such a name', { token: { text: canary } }],
    ['the user part of a URL', { url: `https://user:${canary}@db.example:14240/path` }],
    ['a user part that holds another @', { url: `https://user:some@${canary}@db.example/path` }],
    ['a URL within a sentence', { message: `asked http://${canary}@db/ in vain` }],
    ['an authorization header within a sentence', { message: `sent Authorization: Basic ${canary}==` }],
    ['the secret of a graph server within a sentence', { message: `sent Authorization: GSQL-Secret ${canary}` }],
    ['an error', { error: new Error(`no answer from https://a:${canary}@db/`) }],
    ['the cause of an error', { error: new Error('outer', { cause: new Error(`Bearer ${canary}`) }) }],
    ['a property of an error', { error: Object.assign(new Error('refused'), { secret: canary }) }],
  ])('%s is not shown', (_, fields) => {
    const text = JSON.stringify(redactFields(fields));
    expect(text).not.toContain(canary);
    expect(text).toContain('[secret]');
  });

  it('keep values whose names only resemble secrets', () => {
    const fields = {
      token_file: '/run/secrets/read',
      tokens: 3,
      password: undefined,
      secret: false,
      url: 'http://db:1/a@b',
    };
    expect(redactFields(fields)).toEqual(fields);
  });
});

describe('values', () => {
  it('shows an error with its name, code, message and stack', () => {
    const error = Object.assign(new RangeError('too far'), { code: 'E_FAR' });
    expect(redactFields({ error })).toMatchObject({ error: { name: 'RangeError', code: 'E_FAR', message: 'too far' } });
    expect(JSON.stringify(redactFields({ error }))).toContain('log-fields.test.ts');
  });

  it('shows values that JSON cannot represent', () => {
    expect(redactFields({ big: 12n, date: new Date(0), none: null })).toEqual({
      big: '12',
      date: '1970-01-01T00:00:00.000Z',
      none: null,
    });
  });

  it('has linear time for texts that cause exponential backtracking', () => {
    // What it cost, not how long it took: that a busy machine decides.
    const before = process.threadCpuUsage();
    redactFields({ text: 'a.'.repeat(50_000), other: 'http://'.repeat(10_000) });
    expect(process.threadCpuUsage(before).user).toBeLessThan(1_000_000);
  });

  it('cuts long texts and deep objects, cycles included', () => {
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    expect(JSON.stringify(redactFields({ cycle }))).toContain('[deeper]');
    const { text } = redactFields({ text: 'x'.repeat(100_000) });
    expect(String(text).length).toBeLessThan(9_000);
  });
});
