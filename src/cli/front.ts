import { formatProblems } from '../config/problems.ts';
import { err, type Result } from '../kernel/result.ts';
import { type ExitCode, exitCode } from './command.ts';
import type { Front, FrontOptions, World } from './ports.ts';

/** Why there is no listener, for a person, and what the process shall report. */
export interface FrontTrouble {
  readonly message: string;
  readonly exit: ExitCode;
}

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program listens there; choose another address, or stop that program',
  EACCES: 'this user may not listen there; ports below 1024 are reserved',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'the host name is not known',
};

/** Opens the daemon's listener, or says why that is not possible. */
export async function openFront(options: FrontOptions, world: World): Promise<Result<Front, FrontTrouble>> {
  try {
    const front = await world.openFront(options);
    return front.ok ? front : err({ message: formatProblems(front.error), exit: exitCode.usage });
  } catch (error) {
    const reason = bindTrouble(error);
    if (reason === undefined) throw error;
    const address = authority(options.host, options.port);
    return err({ message: `cannot listen on ${address}: ${reason}`, exit: exitCode.failed });
  }
}

/** Where a person can open what is served: an address that stands for every interface is shown as loopback. */
export function frontUrl({ scheme, host, port }: Front): string {
  const shown = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  return `${scheme}://${authority(shown, port)}`;
}

function authority(host: string, port: number): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

function bindTrouble(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('syscall' in error)) return undefined;
  return reasons['code' in error ? String(error.code) : ''] ?? error.message;
}
