import type { AlertView } from '../../src/alert/alert-view.ts';
import type { Silence } from '../../src/alert/alerting.ts';
import { rules } from '../../src/alert/rules/all.ts';
import { alertRoutes } from '../../src/app/api/alert-routes.ts';
import { createHandler } from '../../src/app/api/routes.ts';
import { runCli } from '../../src/cli/cli.ts';
import { commands } from '../../src/cli/commands/all.ts';
import { ok } from '../../src/kernel/result.ts';
import { systemRandom } from '../../src/runtime/system-ports.ts';
import { livePorts } from '../support/live-ports.ts';
import { recordingLogger } from '../support/logger.ts';
import { forOperator } from '../support/open-access.ts';
import { serve } from '../support/served-listener.ts';

/** Wall clock of the daemon. */
export const wall = Date.parse('2026-01-31T12:00:00Z');

/** Starts the silence routes of a daemon over HTTP; `stored` holds the silences. */
export async function startSilenceApi(silences: readonly Silence[] = [], alerts: readonly AlertView[] = []) {
  let stored = [...silences];
  const dependencies = {
    log: recordingLogger(),
    random: systemRandom,
    config: () => ({ operators: [], clusters: [], alerts: { rules: {} } }),
    rules,
    alerts: () => alerts,
    deliveries: () => [],
    silences: () => stored,
    silence: async (silence: Silence) => {
      stored.push(silence);
      return ok(undefined);
    },
    unsilence: async (id: string) => {
      const isKnown = stored.some((silence) => silence.id === id);
      stored = stored.filter((silence) => silence.id !== id);
      return ok(isKnown);
    },
    now: () => ({ wall, mono: 0 }),
  };
  const { url } = await serve(forOperator(createHandler(alertRoutes(dependencies), () => '')));
  return { url, stored: () => stored };
}

/** Runs a command of the group `silence` against the daemon at `url`. */
export async function runSilenceCommand(url: string, ...args: readonly string[]) {
  const ports = livePorts();
  const code = await runCli(['silence', ...args, '--url', url], commands, ports);
  return { code, out: ports.stdout.text(), error: ports.stderr.text() };
}
