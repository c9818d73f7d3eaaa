import { describe, expect, it } from 'vitest';
import { Secret } from '../../src/kernel/secret.ts';
import { emailField } from '../../src/notify/email-section.ts';

const mail = { smtp: 'smtp://mail.example.org', from: 'warden@example.org', to: ['oncall@example.org'] };

function complaintsOf(given: Readonly<Record<string, unknown>>): readonly string[] {
  const read = emailField.safeParse({ ...mail, ...given });
  return read.error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];
}

describe('how e-mail is sent', () => {
  it('needs a server, a sender and somebody to send to', () => {
    expect(emailField.parse(mail)).toEqual({
      kind: 'email',
      host: 'mail.example.org',
      port: 587,
      secure: false,
      from: 'warden@example.org',
      to: ['oncall@example.org'],
    });
    for (const key of ['smtp', 'from', 'to']) expect(complaintsOf({ [key]: undefined })).toHaveLength(1);
  });

  it.each([
    ['inline', { password: 'p' }, { value: new Secret('p') }],
    ['in a file', { password_file: 'f' }, { file: 'f' }],
  ])('may need a user and a password %s', (_, given, password) => {
    expect(emailField.parse({ ...mail, username: 'u', ...given })).toMatchObject({ username: 'u', password });
  });

  it.each([
    ['smtp://127.0.0.1:2525', { host: '127.0.0.1', port: 2525, secure: false }],
    ['smtps://mail/', { host: 'mail', port: 465, secure: true }],
    ['smtps://[2001:db8::1]:4465', { host: '2001:db8::1', port: 4465, secure: true }],
  ])('finds its server by %s', (smtp, place) => {
    expect(emailField.parse({ ...mail, smtp })).toMatchObject(place);
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
  ])('finds none by %s', (smtp) => {
    expect(complaintsOf({ smtp })).toEqual([expect.stringMatching(/^smtp: must be /)]);
  });

  it.each(['a@b', 'Größe <a@b>', '<a@b>', '"Warden" <a.b+c@d-e.example>'])('takes the mailbox %s', (from) => {
    expect(emailField.parse({ ...mail, from })).toMatchObject({ from });
  });

  it.each(['a', '@b', 'a@', 'a b@c', 'a@b, c@d', 'a@b;c@d', 'a@b\r\nBcc: c@d', 'X <a@b> <c@d>', 'X <a@b'])(
    'does not take %j as one mailbox',
    (from) => {
      expect(complaintsOf({ from, to: [from] })).toHaveLength(2);
    },
  );

  it('takes a password only beside a user, from one place', () => {
    expect(complaintsOf({ password: 'p' })).toEqual([': a password needs a username']);
    expect(complaintsOf({ username: 'u' })).toEqual([': username needs one of password and password_file']);
    expect(complaintsOf({ username: 'u', password: 'p', password_file: 'f' })).toHaveLength(1);
  });
});
