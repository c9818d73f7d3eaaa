import { formatProblems } from '../config/problems.ts';
import type { ReplicaAddress } from '../kernel/ownership.ts';
import { err, type Result } from '../kernel/result.ts';
import { type ExitCode, exitCode } from './command.ts';
import type { DaemonListener, DaemonListenerOptions, RuntimePorts } from './ports.ts';

/** Reason why the daemon cannot listen, and the exit code for it. */
export interface ListenFailure {
  readonly message: string;
  readonly exit: ExitCode;
}

const bindErrorMessages: Readonly<Record<string, string>> = {
  EADDRINUSE: 'address already in use; choose another address or stop the other program',
  EACCES: 'permission denied; ports below 1024 are reserved',
  EADDRNOTAVAIL: 'address not available on this host',
  ENOTFOUND: 'unknown host name',
};

/** Opens the listener of the daemon. */
export async function openDaemonListener(
  options: DaemonListenerOptions,
  runtime: RuntimePorts,
): Promise<Result<DaemonListener, ListenFailure>> {
  try {
    const front = await runtime.openDaemonListener(options);
    return front.ok ? front : err({ message: formatProblems(front.error), exit: exitCode.usage });
  } catch (error) {
    const reason = bindErrorMessage(error);
    if (reason === undefined) throw error;
    const address = hostAndPort(options.host, options.port);
    return err({ message: `cannot listen on ${address}: ${reason}`, exit: exitCode.failed });
  }
}

/** Address of the listener; `0.0.0.0` and `[::]` are all interfaces. */
export function listenerAddress({ host, port }: DaemonListener): string {
  return hostAndPort(host, port);
}

/** URL of the listener; the address of all interfaces is shown as loopback. */
export function listenerUrl({ scheme, host, port }: DaemonListener): string {
  const shown = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  return `${scheme}://${hostAndPort(shown, port)}`;
}

/** Where other replicas reach the listener; the address of all interfaces is shown as the name of this host. */
export function replicaAddress(
  { scheme, host, port, fingerprint }: DaemonListener,
  { hostname }: Pick<RuntimePorts, 'hostname'>,
): ReplicaAddress {
  const shown = host === '0.0.0.0' || host === '::' ? hostname : host;
  return { url: `${scheme}://${hostAndPort(shown, port)}`, fingerprint };
}

function hostAndPort(host: string, port: number): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

function bindErrorMessage(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('syscall' in error)) return undefined;
  return bindErrorMessages['code' in error ? String(error.code) : ''] ?? error.message;
}
