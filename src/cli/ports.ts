import type { Format } from '../expose/page.ts';
import type { Digest } from '../kernel/digest.ts';
import type { OpenHttpPool } from '../kernel/http.ts';
import type { LineFiles } from '../kernel/line-files.ts';
import type { Listen, Listening, RequestHandler } from '../kernel/listener.ts';
import type { AdjustableLog, Logger, LogSettings } from '../kernel/logger.ts';
import type { SendMail } from '../kernel/mail.ts';
import type { CreateFile, Output, Signals } from '../kernel/process.ts';
import type { Result } from '../kernel/result.ts';
import type { OpenStore, Store } from '../kernel/store.ts';
import type { Cron, Dns, Files, Random } from '../kernel/system.ts';
import type { Clock } from '../kernel/time.ts';
import type { Problem } from '../model/problem.ts';
import type { OpenSpanExports } from '../model/tracing.ts';

/** The outside of the program as its commands need it: what is cheap to have. */
export interface CliPorts {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly files: Files;
  readonly createFile: CreateFile;
  readonly signals: Signals;
  readonly build: { readonly version: string; readonly commit: string };
  /** Loads the rest, for the commands that speak to the network. */
  readonly world: () => Promise<World>;
}

/** What takes a moment to load: logging, sockets, metrics of the process. */
export interface World {
  readonly random: Random;
  readonly dns: Dns;
  readonly cron: Cron;
  readonly openPool: OpenHttpPool;
  readonly sendMail: SendMail;
  readonly digest: Digest;
  readonly lineFiles: LineFiles;
  readonly openLog: (settings: LogSettings, out: Output) => Promise<AdjustableLog>;
  /** A listener without users and TLS settings: the simulator's nodes. */
  readonly listen: Listen;
  /** The daemon's own listener. Rejects when the address cannot be bound. */
  readonly openFront: (options: FrontOptions) => Promise<Result<Front, readonly Problem[]>>;
  readonly selfMetrics: (build: CliPorts['build']) => SelfMetrics;
  readonly openStore: OpenStore;
  /** Loads a large library: only called where something is traced. */
  readonly openSpans: OpenSpanExports;
  /** The state that a stopped daemon left in its folder. */
  readonly readStore: (folder: string) => Promise<Result<Store, string>>;
}

/** How the daemon is served. */
export interface FrontOptions {
  readonly host: string;
  readonly port: number;
  readonly handler: RequestHandler;
  readonly log: Logger;
  readonly webConfigFile?: string;
  /** Paths that are never behind authentication. */
  readonly isPublic: (path: string) => boolean;
}

/** The daemon's own listener, bound. */
export interface Front extends Listening {
  readonly scheme: 'http' | 'https';
}

/** The metrics about ourselves. */
export interface SelfMetrics {
  tail(format: Format): Promise<string>;
  reloaded(ok: boolean, atSeconds: number): void;
  stop(): void;
}
