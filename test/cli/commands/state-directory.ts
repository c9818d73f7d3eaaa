import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { runCli } from '../../../src/cli/cli.ts';
import { commands } from '../../../src/cli/commands/all.ts';
import { migrations } from '../../../src/runtime/store/migrations.ts';
import { openStateFile } from '../../../src/runtime/store/state-file.ts';
import { livePorts } from '../../support/live-ports.ts';

/** Returns a state directory with the database of a daemon that stopped: one silence, one action of an operator. */
export function stoppedDaemon(): string {
  const folder = mkdtempSync(join(tmpdir(), 'graphwarden-state-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const opened = openStateFile(folder, { steps: migrations, program: '1.2.3' });
  if (!opened.ok) throw new Error(opened.error.message);
  const at = Date.UTC(2026, 0, 31, 12);
  opened.value.database.run(
    `INSERT INTO guard_actions VALUES ('u', ${at}, 'pause', 'local', '', '', '')`,
    `INSERT INTO silences VALUES ('s', '[]', ${at}, ${at}, 'alice', 'upgrade')`,
  );
  opened.value.database.close();
  return folder;
}

/** Runs a command with real files and returns what it printed. */
export async function runStateCommand(...args: readonly string[]) {
  const ports = livePorts();
  const code = await runCli(['state', ...args], commands, ports);
  return { code, out: ports.stdout.text(), error: ports.stderr.text() };
}
