import type { Logger } from '../kernel/logger.ts';
import { err, ok, type Result } from '../kernel/result.ts';
import type { Files } from '../kernel/system.ts';
import type { ConfigProblem } from '../model/config-problem.ts';
import type { LoadedWebSettings, WebSettings } from '../model/web-settings.ts';
import { type Authentication, createBasicAuthenticator } from './basic-auth.ts';
import type { ComparePassword } from './password-worker.ts';
import { type ClientCertificate, isClientAllowed, readServerTls, type ServerTls } from './server-tls.ts';

/** What {@link loadWebConfig} needs. */
export interface WebConfigPorts {
  readonly files: Files;
  /** `readWebConfig` of `config/web-config-file.ts`. */
  readonly read: (text: string, file: string) => Result<LoadedWebSettings, readonly ConfigProblem[]>;
  /** Asked for each password that is not known yet. */
  readonly compare: ComparePassword;
  /** Called once for each changed file that cannot be used; the previous configuration stays active. */
  readonly log?: Logger;
}

/** The web config file in force. Each question looks whether a file changed, so a rotation needs no restart. */
export interface WebConfig {
  /** Absent: plain HTTP. The same object until something changed: then give it to `setSecureContext`. */
  tlsOptions(): Promise<ServerTls> | undefined;
  /** Whether a connection may go on, asked once after its handshake: `client_auth_type` and `client_allowed_sans`. */
  isClientAllowed(client: ClientCertificate): boolean;
  /** Authenticates an `Authorization` header. */
  authenticate(authorization: string | undefined): Promise<Authentication>;
  /** Headers of every answer, as they are now. */
  readonly headers: Readonly<Record<string, string>>;
}

/** What the file said at a certain moment, and the stamps of it and of all files that it named. */
interface ConfigSnapshot {
  /** Absent where it could not be understood. */
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

/** Reads the file and the certificates it names. Whether TLS is on is settled here, for the life of the listener. */
export async function loadWebConfig(
  file: string,
  ports: WebConfigPorts,
): Promise<Result<WebConfig, readonly ConfigProblem[]>> {
  const first = await loadSettings(file, ports);
  return first.ok ? ok(reloadOnChange(file, first.value, ports)) : err(first.error.problems);
}

/** Compares the file stamps at each request, and reloads the files if one of them differs. */
function reloadOnChange(file: string, first: Loaded, ports: WebConfigPorts): WebConfig {
  const users = createBasicAuthenticator(ports.compare);
  let loaded = first;
  /** What was looked at last, usable or not: what may make it usable is a file that it names, not one of before. */
  let seen: ConfigSnapshot = first;
  let looking: Promise<Loaded> | undefined;

  async function look(): Promise<Loaded> {
    if ((await stampOf(file, seen.settings, ports.files)) === seen.stamp) return loaded;
    const next = await loadSettings(file, ports);
    seen = next.ok ? next.value : next.error;
    if (next.ok && (next.value.tls === undefined) === (first.tls === undefined)) {
      loaded = next.value;
      ports.log?.info('web config reloaded', { file });
    } else {
      // Half of a rotated pair, or a typing error: what worked goes on until the files are whole again.
      ports.log?.warn('web config reload failed', {
        file,
        problems: next.ok ? ['turning TLS on or off requires a restart'] : next.error.problems,
      });
    }
    return loaded;
  }

  /** Many questions at once are answered by one look. */
  function current(): Promise<Loaded> {
    looking ??= look().finally(() => {
      looking = undefined;
    });
    return looking;
  }

  const { tls: firstTls } = first;
  return {
    tlsOptions: () => (firstTls === undefined ? undefined : current().then(({ tls }) => tls ?? firstTls)),
    isClientAllowed: (client) => loaded.settings.tls === undefined || isClientAllowed(loaded.settings.tls, client),
    authenticate: async (authorization) => users.check(authorization, (await current()).settings.users),
    get headers() {
      return loaded.settings.headers;
    },
  };
}

async function loadSettings(file: string, { files, read }: WebConfigPorts): Promise<Result<Loaded, InvalidWebConfig>> {
  // Stamps are taken before what they stand for is read: a change in between shows at the next look.
  const fileStamp = await files.stamp(file);
  const text = await files.readText(file);
  const stamp = joinStamps([fileStamp]);
  if (!text.ok) return err({ stamp, problems: [{ file, line: 1, column: 1, path: '', message: text.error }] });
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
