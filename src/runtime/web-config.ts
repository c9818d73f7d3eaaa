import type { Logger } from '../kernel/logger.ts';
import { err, ok, type Result } from '../kernel/result.ts';
import type { Files } from '../kernel/system.ts';
import type { Problem } from '../model/problem.ts';
import type { ReadWebSettings, WebSettings } from '../model/web-settings.ts';
import { type Authentication, createBasicUsers } from './basic-users.ts';
import { admitsClient, type ClientCertificate } from './client-certificate.ts';
import type { ComparePassword } from './password-worker.ts';
import { readServerTls, type ServerTls } from './server-tls.ts';

/** What {@link loadWebConfig} needs. */
export interface WebConfigPorts {
  readonly files: Files;
  /** `readWebConfig` of `config/web-config-file.ts`. */
  readonly read: (text: string, file: string) => Result<ReadWebSettings, readonly Problem[]>;
  /** Asked for each password that is not known yet. */
  readonly compare: ComparePassword;
  /** Told once when a changed file turns out to be unusable and the former state stays in force. */
  readonly log?: Logger;
}

/** The web config file in force. Each question looks whether a file changed, so a rotation needs no restart. */
export interface WebConfig {
  /** Absent: plain HTTP. The same object until something changed: then give it to `setSecureContext`. */
  tlsOptions(): Promise<ServerTls> | undefined;
  /** Whether a connection may go on, asked once after its handshake: `client_auth_type` and `client_allowed_sans`. */
  admits(client: ClientCertificate): boolean;
  /** Judges an `Authorization` header. */
  authenticate(authorization: string | undefined): Promise<Authentication>;
  /** Headers of every answer, as they are now. */
  readonly headers: Readonly<Record<string, string>>;
}

/** What the file said at a certain moment, and the stamps of it and of all files that it named. */
interface Look {
  /** Absent where it could not be understood. */
  readonly settings?: WebSettings;
  readonly stamp: string;
}

interface Loaded extends Look {
  readonly settings: WebSettings;
  readonly tls: ServerTls | undefined;
}

interface Unusable extends Look {
  readonly problems: readonly Problem[];
}

/** Reads the file and the certificates it names. Whether TLS is on is settled here, for the life of the listener. */
export async function loadWebConfig(
  file: string,
  ports: WebConfigPorts,
): Promise<Result<WebConfig, readonly Problem[]>> {
  const first = await load(file, ports);
  return first.ok ? ok(watch(file, first.value, ports)) : err(first.error.problems);
}

/** Asks the stamps of all files at each question, and loads anew when one of them differs. */
function watch(file: string, first: Loaded, ports: WebConfigPorts): WebConfig {
  const users = createBasicUsers(ports.compare);
  let loaded = first;
  /** What was looked at last, usable or not: what may make it usable is a file that it names, not one of before. */
  let seen: Look = first;
  let looking: Promise<Loaded> | undefined;

  async function look(): Promise<Loaded> {
    if ((await stampOf(file, seen.settings, ports.files)) === seen.stamp) return loaded;
    const next = await load(file, ports);
    seen = next.ok ? next.value : next.error;
    if (next.ok && (next.value.tls === undefined) === (first.tls === undefined)) {
      loaded = next.value;
      ports.log?.info('the web config file or a file it names changed and is in force', { file });
    } else {
      // Half of a rotated pair, or a typing error: what worked goes on until the files are whole again.
      ports.log?.warn('the changed web config file cannot be used, the former state stays in force', {
        file,
        problems: next.ok ? ['turning TLS on or off needs a restart'] : next.error.problems,
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
    admits: (client) => loaded.settings.tls === undefined || admitsClient(loaded.settings.tls, client),
    authenticate: async (authorization) => users.check(authorization, (await current()).settings.users),
    get headers() {
      return loaded.settings.headers;
    },
  };
}

async function load(file: string, { files, read }: WebConfigPorts): Promise<Result<Loaded, Unusable>> {
  // Stamps are taken before what they stand for is read: a change in between shows at the next look.
  const fileStamp = await files.stamp(file);
  const text = await files.readText(file);
  const stamp = joined([fileStamp]);
  if (!text.ok) return err({ stamp, problems: [{ file, line: 1, column: 1, path: '', message: text.error }] });
  const source = read(text.value, file);
  if (!source.ok) return err({ stamp, problems: source.error });
  const { settings, locate } = source.value;
  const seen = { settings, stamp: joined([fileStamp, ...(await pemStamps(settings, files))]) };
  const tls = settings.tls === undefined ? ok(undefined) : await readServerTls(settings.tls, files);
  return tls.ok ? ok({ ...seen, tls: tls.value }) : err({ ...seen, problems: tls.error.map(locate) });
}

async function stampOf(file: string, settings: WebSettings | undefined, files: Files): Promise<string> {
  return joined([await files.stamp(file), ...(await pemStamps(settings, files))]);
}

function pemStamps(settings: WebSettings | undefined, files: Files): Promise<readonly (string | undefined)[]> {
  const { tls } = settings ?? {};
  const sources = tls === undefined ? [] : [tls.cert, tls.key, tls.clientCa];
  const named = sources.flatMap((pem) => (pem !== undefined && 'file' in pem ? [pem.file] : []));
  return Promise.all(named.map((path) => files.stamp(path)));
}

function joined(stamps: readonly (string | undefined)[]): string {
  return JSON.stringify(stamps.map((stamp) => stamp ?? null));
}
