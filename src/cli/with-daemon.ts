import type { Result } from '../kernel/result.ts';
import { type ExitCode, exitCode, type Given } from './command.ts';
import { type DaemonApi, openDaemonApi } from './daemon-api.ts';
import type { CliPorts } from './ports.ts';

/** Does something with the API of a running daemon, and prints the text that comes of it, or what went wrong. */
export async function withDaemon(
  given: Given,
  ports: CliPorts,
  work: (api: DaemonApi) => Promise<Result<string, string>>,
): Promise<ExitCode> {
  const api = await openDaemonApi(given, ports);
  const text = api.ok ? await work(api.value) : api;
  if (api.ok) await api.value.close();
  if (text.ok) ports.stdout.write(text.value);
  else ports.stderr.write(`graphwarden: ${text.error}\n`);
  return text.ok ? exitCode.ok : exitCode.failed;
}
