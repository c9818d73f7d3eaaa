import type { Listening, RequestHandler } from '../kernel/listener.ts';
import type { Logger } from '../kernel/logger.ts';
import { ok, type Result } from '../kernel/result.ts';
import type { Files } from '../kernel/system.ts';
import type { Problem } from '../model/problem.ts';
import { listen } from './listener.ts';
import { listenSecured } from './secured-listener.ts';
import { loadWebConfig, type WebConfigPorts } from './web-config.ts';

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

/** `read` is the parser of the web config file. */
export function openFront(files: Files, read: WebConfigPorts['read']): OpenFront {
  return async (options) => {
    const { webConfigFile, log } = options;
    if (webConfigFile === undefined) return ok({ ...(await listen(options)), scheme: 'http' });
    const web = await loadWebConfig(webConfigFile, { files, read, log });
    if (!web.ok) return web;
    const scheme = web.value.tlsOptions() === undefined ? 'http' : 'https';
    return ok({ ...(await listenSecured(web.value, options)), scheme });
  };
}
