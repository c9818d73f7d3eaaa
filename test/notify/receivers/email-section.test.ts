import { describe, expect, it } from 'vitest';
import { Secret } from '../../../src/kernel/secret.ts';
import { email } from '../../../src/notify/receivers/email.ts';

const { section } = email;

const mail = { smtp: 'smtp://mail.example.org', from: 'warden@example.org', to: ['oncall@example.org'] };

function problemsOf(given: Readonly<Record<string, unknown>>): readonly string[] {
  const read = section.safeParse({ ...mail, ...given });
  return read.error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];
}

describe('the section of an e-mail receiver', () => {
  it('needs a server, a sender and a recipient', () => {
    expect(section.parse(mail)).toEqual({
      kind: 'email',
      options: {
        smtp: { host: 'mail.example.org', port: 587, secure: false },
        from: 'warden@example.org',
        to: ['oncall@example.org'],
      },
      secrets: {},
    });
    for (const key of ['smtp', 'from', 'to']) expect(problemsOf({ [key]: undefined })).toHaveLength(1);
  });

  it.each([
    ['inline', { password: 'p' }, { value: new Secret('p') }],
    ['in a file', { password_file: 'f' }, { file: 'f' }],
  ])('may contain a user and a password %s', (_, given, password) => {
    expect(section.parse({ ...mail, username: 'u', ...given })).toMatchObject({
      options: { username: 'u' },
      secrets: { password },
    });
  });

  it.each([
    ['smtp://127.0.0.1:2525', { host: '127.0.0.1', port: 2525, secure: false }],
    ['smtps://mail/', { host: 'mail', port: 465, secure: true }],
    ['smtps://[2001:db8::1]:4465', { host: '2001:db8::1', port: 4465, secure: true }],
  ])('accepts the server %s', (smtp, server) => {
    expect(section.parse({ ...mail, smtp })).toMatchObject({ options: { smtp: server } });
  });

  it.each([
    'mail',
    'mail:25',
    'smtp://',
    'smtp:mail',
    'http://mail',
    'smtp://mail:99999',
    'smtp://mail?x',
    'smtp://mail#x',
  ])('rejects the server %s', (smtp) => {
    expect(problemsOf({ smtp })).toEqual([expect.stringMatching(/^smtp: must be /)]);
  });

  it.each(['a@b', 'Größe <a@b>', '<a@b>', '"Warden" <a.b+c@d-e.example>'])('accepts the mailbox %s', (from) => {
    expect(section.parse({ ...mail, from })).toMatchObject({ options: { from } });
  });

  it.each(['a', '@b', 'a@', 'a b@c', 'a@b, c@d', 'a@b;c@d', 'a@b\r\nBcc: c@d', 'X <a@b> <c@d>', 'X <a@b'])(
    'rejects %j as a mailbox',
    (from) => {
      expect(problemsOf({ from, to: [from] })).toHaveLength(2);
    },
  );

  it('accepts a password only with a user and from one source', () => {
    expect(problemsOf({ password: 'p' })).toEqual([': a password needs a username']);
    expect(problemsOf({ username: 'u' })).toEqual([': username needs one of password and password_file']);
    expect(problemsOf({ username: 'u', password: 'p', password_file: 'f' })).toHaveLength(1);
  });
});
