import { z } from 'zod';
import { oneSource, reference, secretFile, secretText } from '../graphdb/secret-field.ts';
import type { ReceiverWay } from './settings.ts';

const example = 'smtps://mail.example.org:465';

const server = z
  .string()
  .transform((text, context) => {
    const url = URL.parse(text);
    const message = complaint(text, url);
    if (url !== null && message === undefined) return placeOf(url);
    context.issues.push({ code: 'custom', message, input: '', params: { hint: `for example ${example}` } });
    return z.NEVER;
  })
  .meta({ title: 'URL', examples: [example] });

function complaint(text: string, url: URL | null): string | undefined {
  if (!/^smtps?:\/\//.test(text) || url === null || url.hostname === '') {
    return 'must be an address that begins with smtp:// or smtps://';
  }
  if (url.username !== '' || url.password !== '')
    return 'must not hold a user or a password: use username and password';
  return /^\/?$/.test(url.pathname) && !/[?#]/.test(text) ? undefined : 'must be a host and a port alone';
}

/** Where no port is named: 465 is TLS from the first byte, 587 is where mail is handed in. */
function placeOf({ protocol, hostname, port }: URL) {
  const secure = protocol === 'smtps:';
  const standard = secure ? 465 : 587;
  return { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: port === '' ? standard : Number(port), secure };
}

const mailbox = z
  .string()
  .regex(/^([^\p{Cc}<>,;]*<[^\s\p{Cc}<>@,;]+@[^\s\p{Cc}<>@,;]+>|[^\s\p{Cc}<>@,;]+@[^\s\p{Cc}<>@,;]+)$/u, {
    error: 'must be an e-mail address, with a name before <it> or without',
  });

/** How e-mail is sent. */
export const emailField = z
  .strictObject({
    smtp: server.describe('The mail server: `smtps://` is TLS from the start; `smtp://` uses STARTTLS where offered.'),
    username: z
      .string()
      .min(1)
      .optional()
      .describe('Who sends; then the way must be encrypted, unless it is loopback.')
      .meta({ examples: ['graphwarden'] }),
    password: secretText
      .optional()
      .describe('Its password, inline or from an environment variable.')
      .meta({ examples: [reference('SMTP_PASSWORD')] }),
    password_file: secretFile
      .optional()
      .describe('File with the password, read again when it changes.')
      .meta({ examples: ['/run/secrets/smtp'] }),
    from: mailbox.describe('The sender.').meta({ examples: ['graphwarden@example.org'] }),
    to: z
      .array(mailbox)
      .min(1)
      .describe('The recipients.')
      .meta({ examples: [['oncall@example.org']] }),
  })
  .transform(({ smtp, username, password: value, password_file: file, from, to }, context): ReceiverWay => {
    const password = oneSource(value, file);
    const isNamed = username !== undefined;
    if (isNamed && password === undefined) {
      context.issues.push({ code: 'custom', message: 'username needs one of password and password_file', input: '' });
      return z.NEVER;
    }
    if (!isNamed && (value !== undefined || file !== undefined)) {
      context.issues.push({ code: 'custom', message: 'a password needs a username', input: '' });
      return z.NEVER;
    }
    const user = isNamed && password !== undefined ? { username, password } : {};
    return { kind: 'email', ...smtp, ...user, from, to };
  });
