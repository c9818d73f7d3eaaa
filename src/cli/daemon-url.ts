import type { TlsMaterial } from '../kernel/http.ts';
import { ok, type Result } from '../kernel/result.ts';
import { type CommandInput, type Flag, UsageError } from './command.ts';
import type { CliPorts } from './ports.ts';

/** Address of a daemon with the default configuration on this host. */
const defaultUrl = 'http://127.0.0.1:9916';
const variable = 'GRAPHWARDEN_URL';

/** Option of each command that calls a running daemon. */
export const urlFlag: Flag = {
  name: 'url',
  value: 'URL',
  about: `address of the daemon with its route prefix (default: ${variable}, or ${defaultUrl})`,
};

/** Options for the certificate of the daemon. */
export const tlsFlags: readonly Flag[] = [
  { name: 'ca-file', value: 'FILE', about: 'CA bundle (PEM) that verifies the TLS certificate' },
  { name: 'insecure', about: 'do not verify the TLS certificate' },
];

/** TLS settings of the connection to the daemon; the error is a sentence. */
export async function daemonTls(
  { flags }: CommandInput,
  { files }: Pick<CliPorts, 'files'>,
): Promise<Result<{ readonly tls?: TlsMaterial }, string>> {
  const file = flags['ca-file'];
  if (file !== undefined && 'insecure' in flags)
    throw new UsageError('--ca-file and --insecure are mutually exclusive');
  if (file === undefined) return ok('insecure' in flags ? { tls: { insecureSkipVerify: true } } : {});
  const ca = await files.readText(file);
  return ca.ok ? ok({ tls: { ca: ca.value } }) : ca;
}

/** Address of the daemon: that of the option, or of the environment, or the default. */
export function daemonUrl({ flags }: CommandInput, { environment }: Pick<CliPorts, 'environment'>): URL {
  if (flags.url !== undefined) return parseUrl(flags.url, '--url');
  const text = environment[variable] ?? '';
  return parseUrl(text === '' ? defaultUrl : text, variable);
}

function parseUrl(text: string, source: string): URL {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new UsageError(`${source} must be http://HOST:PORT or https://HOST:PORT`);
  if (url.username !== '' || url.password !== '')
    throw new UsageError(`${source} must not contain credentials; use --user and --password-file`);
  return url;
}
