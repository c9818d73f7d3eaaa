import type { Logger } from '../kernel/logger.ts';
import type { Result } from '../kernel/result.ts';
import type { Files } from '../kernel/system.ts';
import type { Problem } from '../model/problem.ts';
import type { ReadWebSettings } from '../model/web-settings.ts';
import type { ServerTls } from './server-tls.ts';

/** What {@link loadWebConfig} needs: the file system, and the parser of the file, which is the configuration's. */
export interface WebConfigPorts {
  readonly files: Files;
  /** `readWebConfig` of `config/web-config-file.ts`. */
  readonly read: (text: string, file: string) => Result<ReadWebSettings, readonly Problem[]>;
  /** Told once when a changed file turns out to be unusable and the former state stays in force. */
  readonly log?: Logger;
}

/** The web config file in force. Each question looks whether a file changed, so a rotation needs no restart. */
export interface WebConfig {
  /** Absent: plain HTTP. The same object until something changed: then give it to `setSecureContext`. */
  tlsOptions(): Promise<ServerTls> | undefined;
  /** Whether a connection may go on, asked once after its handshake: `client_auth_type` and `client_allowed_sans`. */
  admits(client: ClientCertificate): boolean;
  /** Judges an `Authorization` header: the user, `denied` (answer 401), or `off` where the file names no users. */
  authenticate(authorization: string | undefined): Promise<Authentication>;
  /** Headers of every answer, as they are now. */
  readonly headers: Readonly<Record<string, string>>;
}

/** What the handshake says about the client's certificate. */
export interface ClientCertificate {
  readonly presented: boolean;
  /** Its chain ends in one of the client CAs. */
  readonly authorized: boolean;
  /** `subjectaltname` of the peer certificate (`DNS:a, IP Address:10.0.0.1`). */
  readonly alternativeNames: string;
}

/** The outcome of {@link WebConfig.authenticate}. */
export type Authentication = { readonly user: string } | 'denied' | 'off';
