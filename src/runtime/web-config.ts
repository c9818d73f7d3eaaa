import type { Logger } from '../kernel/logger.ts';
import { err, ok, type Result } from '../kernel/result.ts';
import { printablePath } from '../kernel/secret-path.ts';
import type { Files } from '../kernel/system.ts';
import type { ConfigProblem } from '../model/config-problem.ts';
import type { LoadedWebSettings, WebConfigFile, WebSettings } from '../model/web-settings.ts';
import { type Authentication, createBasicAuthenticator } from './basic-auth.ts';
import type { ComparePassword } from './password-worker.ts';
import { type ClientCertificate, isClientAllowed, readServerTls, type ServerTls } from './server-tls.ts';

/** Dependencies of {@link loadWebConfig}. */
export interface WebConfigPorts {
  readonly files: Files;
  /** `readWebConfig` of `config/web-config-file.ts`. */
  readonly read: (text: string, file: string) => Result<LoadedWebSettings, readonly ConfigProblem[]>;
  /** Compares passwords that are not cached. */
  readonly compare: ComparePassword;
  /** Gets one line for each reload, and one for each changed file that cannot be used. */
  readonly log?: Logger;
}

/** Active web config file. Each call checks whether a file changed, so that a rotation needs no restart. */
export interface WebConfig {
  /** Returns the TLS options; undefined for plain HTTP. A new object means a change: pass it to `setSecureContext`. */
  tlsOptions(): Promise<ServerTls> | undefined;
  /** Whether a connection is allowed by `client_auth_type` and `client_allowed_sans`; called once after its handshake. */
  isClientAllowed(client: ClientCertificate): boolean;
  /** Authenticates an `Authorization` header. */
  authenticate(authorization: string | undefined, address: string): Promise<Authentication>;
  /** Returns the current headers of every reply. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Active web config file, and the file itself, to watch it and to report why it is rejected. */
export interface LoadedWebConfig extends WebConfig {
  readonly file: WebConfigFile;
}

/** Parsed file, with the stamps of the file and of all files that it references. */
interface ConfigSnapshot {
  /** Absent if the file is invalid. */
  readonly settings?: WebSettings;
  readonly stamp: string;
}

interface Loaded extends ConfigSnapshot {
  readonly settings: WebSettings;
  readonly tls: ServerTls | undefined;
}

interface InvalidWebConfig extends ConfigSnapshot {
  readonly problems: readonly ConfigProblem[];
}

/** Reads the file and its certificates. Whether TLS is enabled is determined here, for the lifetime of the listener. */
export async function loadWebConfig(
  file: string,
  ports: WebConfigPorts,
): Promise<Result<LoadedWebConfig, readonly ConfigProblem[]>> {
  const first = await loadSettings(file, ports);
  return first.ok ? ok(reloadOnChange(file, first.value, ports)) : err(first.error.problems);
}

/** Compares the file stamps at each request, and reloads the files if one of them differs. */
function reloadOnChange(file: string, first: Loaded, ports: WebConfigPorts): LoadedWebConfig {
  const users = createBasicAuthenticator(ports.compare);
  let loaded = first;
  /** Latest version of the file, valid or not: only the files that this version references can make it valid. */
  let seen: ConfigSnapshot = first;
  let problems: readonly ConfigProblem[] = [];
  let checking: Promise<Loaded> | undefined;

  async function check(): Promise<Loaded> {
    if ((await stampOf(file, seen.settings, ports.files)) === seen.stamp) return loaded;
    const next = await loadSettings(file, ports);
    seen = next.ok ? next.value : next.error;
    problems = next.ok ? forbiddenChanges(file, first, loaded, next.value) : next.error.problems;
    if (next.ok && problems.length === 0) {
      loaded = next.value;
      ports.log?.info('web config reloaded', { file });
    } else {
      // Half of a rotated pair, or a typing error: the previous configuration stays active until the files are valid.
      ports.log?.warn('web config reload failed', { file, problems });
    }
    return loaded;
  }

  /** Concurrent calls share one check. */
  function current(): Promise<Loaded> {
    checking ??= check().finally(() => {
      checking = undefined;
    });
    return checking;
  }

  const { tls: firstTls } = first;
  return {
    file: {
      path: file,
      firstStamp: first.stamp,
      stamp: () => stampOf(file, seen.settings, ports.files),
      problems: () => current().then(() => problems),
    },
    tlsOptions: () => (firstTls === undefined ? undefined : current().then(({ tls }) => tls ?? firstTls)),
    isClientAllowed: (client) => loaded.settings.tls === undefined || isClientAllowed(loaded.settings.tls, client),
    authenticate: async (authorization, address) =>
      users.check(authorization, (await current()).settings.users, address),
    get headers() {
      return loaded.settings.headers;
    },
  };
}

function hasUsers({ settings }: Loaded): boolean {
  return Object.keys(settings.users).length > 0;
}

function requiresCertificate({ settings: { tls } }: Loaded): boolean {
  return tls?.clientAuth.startsWith('Require') === true;
}

/** Whether authentication is turned off: users are removed, or client certificates without users in their place. */
function turnsAuthenticationOff(before: Loaded, next: Loaded): boolean {
  return !hasUsers(next) && (hasUsers(before) || (requiresCertificate(before) && !requiresCertificate(next)));
}

/** A file that is emptied by mistake must not open the listener to every client. */
function forbiddenChanges(file: string, first: Loaded, before: Loaded, next: Loaded): readonly ConfigProblem[] {
  const messages = [
    ...((next.tls === undefined) === (first.tls === undefined) ? [] : ['turning TLS on or off requires a restart']),
    ...(turnsAuthenticationOff(before, next) ? ['turning authentication off requires a restart'] : []),
  ];
  return messages.map((message) => ({ file, line: 1, column: 1, path: '', message }));
}

async function loadSettings(file: string, { files, read }: WebConfigPorts): Promise<Result<Loaded, InvalidWebConfig>> {
  // Reads the stamps before the files, so that the next check detects a change in between.
  const fileStamp = await files.stamp(file);
  const text = await files.readText(file);
  const stamp = joinStamps([fileStamp]);
  if (!text.ok) {
    const shown = await printablePath(file, files);
    return err({ stamp, problems: [{ file: shown, line: 1, column: 1, path: '', message: text.error }] });
  }
  const source = read(text.value, file);
  if (!source.ok) return err({ stamp, problems: source.error });
  const { settings, locate } = source.value;
  const seen = { settings, stamp: joinStamps([fileStamp, ...(await pemStamps(settings, files))]) };
  const tls = settings.tls === undefined ? ok(undefined) : await readServerTls(settings.tls, files);
  return tls.ok ? ok({ ...seen, tls: tls.value }) : err({ ...seen, problems: tls.error.map(locate) });
}

async function stampOf(file: string, settings: WebSettings | undefined, files: Files): Promise<string> {
  return joinStamps([await files.stamp(file), ...(await pemStamps(settings, files))]);
}

function pemStamps(settings: WebSettings | undefined, files: Files): Promise<readonly (string | undefined)[]> {
  const { tls } = settings ?? {};
  const sources = tls === undefined ? [] : [tls.cert, tls.key, tls.clientCa];
  const named = sources.flatMap((pem) => (pem !== undefined && 'file' in pem ? [pem.file] : []));
  return Promise.all(named.map((path) => files.stamp(path)));
}

function joinStamps(stamps: readonly (string | undefined)[]): string {
  return JSON.stringify(stamps.map((stamp) => stamp ?? null));
}
