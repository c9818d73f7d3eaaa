import { z } from 'zod';
import type { AuthSettings } from '../model/settings.ts';
import { oneSource, reference, secretFile, secretText } from './secret-field.ts';

const basic = z
  .strictObject({
    username: z
      .string()
      .min(1)
      .refine((text) => !text.includes(':'), { error: 'must not hold a colon' })
      .describe('User name for basic authentication.')
      .meta({ examples: ['monitor'] }),
    password: secretText
      .optional()
      .describe('Its password, inline or from an environment variable.')
      .meta({ examples: [reference('GRAPH_PASSWORD')] }),
    password_file: secretFile
      .optional()
      .describe('File with the password, read again when it changes and after a 401.')
      .meta({ examples: ['/run/secrets/password'] }),
  })
  .transform(({ username, password, password_file: file }, context): AuthSettings => {
    const source = oneSource(password, file);
    if (source !== undefined) return { kind: 'basic', username, password: source };
    context.issues.push({ code: 'custom', message: 'needs one of password and password_file', input: '' });
    return z.NEVER;
  });

const kinds = 'bearer_token_file, bearer_token, basic, secret_file or secret';

/** `read_auth` and `abort_auth`: exactly one way to show ourselves; the block's absence means none. */
export const authSection = z
  .strictObject({
    bearer_token_file: secretFile
      .optional()
      .describe('File with a token, read again when it changes and after a 401.')
      .meta({ examples: ['/run/secrets/token'] }),
    bearer_token: secretText
      .optional()
      .describe('A token, inline or from an environment variable.')
      .meta({ examples: [reference('GRAPH_TOKEN')] }),
    basic: basic.optional().describe('User and password, sent with every call.'),
    secret_file: secretFile
      .optional()
      .describe('File with a secret that is exchanged for a token, renewed in time.')
      .meta({ examples: ['/run/secrets/secret'] }),
    secret: secretText
      .optional()
      .describe('Such a secret, inline or from an environment variable.')
      .meta({ examples: [reference('GRAPH_SECRET')] }),
  })
  .transform((given, context): AuthSettings => {
    const token = oneSource(given.bearer_token, given.bearer_token_file);
    const secret = oneSource(given.secret, given.secret_file);
    if (Object.keys(given).length !== 1) {
      const message = `needs exactly one of ${kinds}`;
      context.issues.push({ code: 'custom', message, input: '' });
      return z.NEVER;
    }
    if (token !== undefined) return { kind: 'bearer', token };
    return secret === undefined ? (given.basic ?? { kind: 'none' }) : { kind: 'secret', secret };
  });
