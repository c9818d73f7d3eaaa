import { z } from 'zod';
import { tlsSection } from '../graphdb/settings.ts';
import type { SharedStateSettings } from '../model/replica-database.ts';
import type { TlsSettings } from '../model/settings.ts';

/** Maximum number of servers of one installation. */
const maxHosts = 8;

const defaultPort = 5432;

const format = 'must be postgres://user@host:port/database; several hosts are separated by commas';

/** Parts of an address; the driver and the browser's parser do not accept several hosts. */
const address = /^postgres(?:ql)?:\/\/([^/?#@]+)@([^/?#@]+)\/([^/?#@]+)$/;
const server = /^(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9._-]+))(?::(\d{1,5}))?$/;

type Server = SharedStateSettings['hosts'][number];

/** Address of the database that replicas share. */
export const stateUrlField = z
  .string()
  .max(2048)
  .transform((text, context): Pick<SharedStateSettings, 'hosts' | 'user' | 'database'> => {
    const refuse = (message: string) => {
      context.issues.push({ code: 'custom', message, input: '' });
      return z.NEVER;
    };
    if (/^postgres(?:ql)?:\/\/[^/@]*:[^/@]*@/.test(text))
      return refuse('must not contain a password: use state_password_file');
    if (text.includes('?')) return refuse('must not contain parameters: use state_tls for TLS');
    const [, user, hostList, database] = address.exec(text) ?? [];
    const hosts = hostList?.split(',').map(parseServer) ?? [];
    const known = hosts.filter((host) => host !== undefined);
    const names = [user, database].map(decode);
    if (names.includes(undefined) || known.length === 0 || known.length < hosts.length) return refuse(format);
    if (known.length > maxHosts) return refuse(`must not name more than ${maxHosts} hosts`);
    const [decodedUser = '', decodedDatabase = ''] = names;
    return { hosts: known, user: decodedUser, database: decodedDatabase };
  })
  .describe(
    'PostgreSQL database for several replicas, instead of the database in `state_dir`. Separate the hosts of one installation by commas: graphwarden uses the host that accepts writes.',
  )
  .meta({ examples: ['postgres://graphwarden@db1:5432,db2:5432/graphwarden'] });

/** Keys of the configuration file about the database that replicas share. */
export const sharedStateFields = {
  state_url: stateUrlField.optional(),
  state_password_file: z
    .string()
    .min(1)
    .optional()
    .describe('File with the password of the user in `state_url`. It is read for each connection.')
    .meta({ examples: ['state-password'] }),
  state_tls: tlsSection
    .optional()
    .describe('TLS settings of the connections to `state_url`; without them, the connections are not encrypted.'),
};

/** Keys about the shared database in a valid configuration. */
export interface GivenSharedState {
  readonly state_url?: Pick<SharedStateSettings, 'hosts' | 'user' | 'database'> | undefined;
  readonly state_password_file?: string | undefined;
  readonly state_tls?: TlsSettings | undefined;
}

/** Returns the settings of the shared database; undefined without an address. */
export function toSharedState({
  state_url: url,
  state_password_file: passwordFile,
  state_tls: tls,
}: GivenSharedState): SharedStateSettings | undefined {
  if (url === undefined) return undefined;
  return { ...url, ...(passwordFile !== undefined && { passwordFile }), ...(tls !== undefined && { tls }) };
}

function parseServer(text: string): Server | undefined {
  const [, six, name, port] = server.exec(text) ?? [];
  const host = six ?? name;
  const number = port === undefined ? defaultPort : Number(port);
  return host === undefined || number < 1 || number > 65_535 ? undefined : { host, port: number };
}

function decode(text: string | undefined): string | undefined {
  try {
    const decoded = decodeURIComponent(text ?? '');
    return decoded === '' || /\p{Cc}/u.test(decoded) ? undefined : decoded;
  } catch {
    return undefined;
  }
}
