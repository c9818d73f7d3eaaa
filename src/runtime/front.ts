import type { Listening, RequestHandler } from '../kernel/listener.ts';
import type { Logger } from '../kernel/logger.ts';
import { ok, type Result } from '../kernel/result.ts';
import type { Files } from '../kernel/system.ts';
import type { Millis } from '../kernel/time.ts';
import type { Problem } from '../model/problem.ts';
import { listen } from './listener.ts';
import { comparedBy } from './password-worker.ts';
import { listenSecured } from './secured-listener.ts';
import { loadWebConfig, type WebConfigPorts } from './web-config.ts';
import type { WorkerThread } from './worker-thread.ts';

/** How the daemon is served. */
export interface FrontOptions {
  readonly host: string;
  readonly port: number;
  readonly handler: RequestHandler;
  readonly log: Logger;
  readonly webConfigFile?: string;
  readonly isPublic: (path: string) => boolean;
}

/** The daemon's listener, and how it is spoken to. */
export interface Front extends Listening {
  readonly scheme: 'http' | 'https';
}

/** Opens the daemon's listener, behind its web config file where there is one. Rejects when it cannot be bound. */
export type OpenFront = (options: FrontOptions) => Promise<Result<Front, readonly Problem[]>>;

/** What a front is made with. */
export interface FrontPorts {
  readonly files: Files;
  /** The parser of the web config file. */
  readonly read: WebConfigPorts['read'];
  /** Gives the worker that compares passwords. */
  readonly passwords: () => WorkerThread;
}

/** Fronts over the real network; each has a worker of its own, for as long as it is open. */
export function openFront({ files, read, passwords }: FrontPorts): OpenFront {
  return async (options) => {
    const { webConfigFile, log } = options;
    if (webConfigFile === undefined) return ok({ ...(await listen(options)), scheme: 'http' });
    const worker = passwords();
    const web = await loadWebConfig(webConfigFile, { files, read, log, compare: comparedBy(worker) });
    if (!web.ok) return web;
    const listening = await listenSecured(web.value, options);
    const close = async (grace: Millis): Promise<void> => {
      await listening.close(grace);
      await worker.stop();
    };
    return ok({ ...listening, close, scheme: web.value.tlsOptions() === undefined ? 'http' : 'https' });
  };
}
