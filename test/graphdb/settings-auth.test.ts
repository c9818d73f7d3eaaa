import { describe, expect, it } from 'vitest';
import { authSection } from '../../src/graphdb/settings.ts';
import { Secret } from '../../src/kernel/secret.ts';

function complaints(given: unknown): readonly string[] {
  const parsed = authSection.safeParse(given);
  return parsed.success ? [] : parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
}

describe('read_auth and abort_auth', () => {
  it.each([
    [{ bearer_token_file: 't' }, { kind: 'bearer', token: { file: 't' } }],
    [{ bearer_token: 't' }, { kind: 'bearer', token: { value: new Secret('t') } }],
    [{ secret_file: 's' }, { kind: 'secret', secret: { file: 's' } }],
    [{ secret: 's' }, { kind: 'secret', secret: { value: new Secret('s') } }],
    [{ basic: { username: 'u', password_file: 'p' } }, { kind: 'basic', username: 'u', password: { file: 'p' } }],
    [
      { basic: { username: 'u', password: 'p' } },
      { kind: 'basic', username: 'u', password: { value: new Secret('p') } },
    ],
  ])('accept %j', (given, expected) => {
    expect(authSection.parse(given)).toEqual(expected);
  });

  it('keep the exact text of an inline secret', () => {
    const auth = authSection.parse({ bearer_token: ' t "ö ' });
    const token = auth.kind === 'bearer' && 'value' in auth.token ? auth.token.value.reveal() : '';
    expect(token).toBe(' t "ö ');
  });

  it.each([
    [{}],
    [{ bearer_token: 't', bearer_token_file: 't' }],
    [{ secret: 's', secret_file: 's' }],
    [{ bearer_token: 't', secret: 's' }],
    [{ basic: { username: 'u', password: 'p' }, bearer_token: 't' }],
  ])('require exactly one kind, not %j', (given) => {
    expect(complaints(given)).toEqual([
      ': needs exactly one of bearer_token_file, bearer_token, basic, secret_file or secret',
    ]);
  });

  it.each([
    [{ username: 'u' }, 'basic: needs one of password and password_file'],
    [{ username: 'u', password: 'p', password_file: 'p' }, 'basic: needs one of password and password_file'],
    [{ username: 'a:b', password: 'p' }, 'basic.username: must not contain a colon'],
  ])('require more than %j for basic', (basic, message) => {
    expect(complaints({ basic })).toEqual([message]);
  });

  it.each(['a\nb', 'a\r', '\u0000', 'a\u007f', 'tab\t'])('refuse control characters in a secret: %j', (text) => {
    expect(complaints({ bearer_token: text })).toEqual([
      'bearer_token: must not contain line breaks or control characters',
    ]);
  });

  it.each([{ bearer_token: '' }, { bearer_token_file: '' }, { secret: 1 }, 'token', null])('refuse %j', (given) => {
    expect(complaints(given).length).toBeGreaterThan(0);
  });
});
