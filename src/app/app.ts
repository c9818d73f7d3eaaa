import type { Config } from '../config/config.ts';
import type { Format } from '../expose/page.ts';
import type { Digest } from '../kernel/digest.ts';
import type { OpenHttpPool } from '../kernel/http.ts';
import type { RequestHandler } from '../kernel/listener.ts';
import type { Logger } from '../kernel/logger.ts';
import type { SendMail } from '../kernel/mail.ts';
import type { Result } from '../kernel/result.ts';
import type { Store } from '../kernel/store.ts';
import type { Cron, Dns, Files, Random } from '../kernel/system.ts';
import type { Clock } from '../kernel/time.ts';
import type { Problem } from '../model/problem.ts';
import type { SpanSink } from '../model/span.ts';
import type { SpanExports } from '../model/tracing.ts';

/** The real world as the application needs it. */
export interface AppPorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly openPool: OpenHttpPool;
  readonly sendMail: SendMail;
  readonly digest: Digest;
  readonly files: Files;
  readonly dns: Dns;
  readonly cron: Cron;
  /** What has to survive a restart. It is opened before and closed after. */
  readonly store: Store;
  /** Where all other traces go, which is the same place. It is opened before and closed after. */
  readonly spanExports?: SpanExports;
  /** What changes at every scrape (process, event loop, build, reload), rendered in `format` without `# EOF`. */
  readonly tail: (format: Format) => Promise<string>;
  /** Reads the configuration file again and swaps it in; asked by `POST /-/reload`. */
  readonly reload: () => Promise<Result<void, readonly Problem[]>>;
  readonly build: { readonly version: string; readonly commit: string };
  /** Where our own traces go; absent where nobody traces. */
  readonly spans?: SpanSink;
  /** What everybody who looks has to know first, such as that all of it is simulated. */
  readonly notice?: string;
}

/** A running watch over the configured clusters. Two of them live in one process without noticing each other. */
export interface App {
  /** Answers everything under the route prefix. */
  readonly handler: RequestHandler;
  /** Whether a path is never behind authentication: what orchestrators ask, under the prefix as it is now. */
  isPublic(path: string): boolean;
  /** Begins to poll; resolves at once, readiness follows the first round. */
  start(): Promise<void>;
  /** Swaps the configuration: what did not change keeps its state, sockets and schedule. */
  reconfigure(config: Config): Promise<void>;
  /** Lets the guard hold still until an operator resumes it: the signal of an operator who has no time. */
  pauseGuard(): void;
  /** Stops polling, ends reads under way, closes sockets. Idempotent. */
  stop(): Promise<void>;
}
