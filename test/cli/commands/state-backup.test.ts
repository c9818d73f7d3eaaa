import { statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stateBackup } from '../../../src/cli/commands/state-backup.ts';
import { currentSchemaVersion } from '../../../src/runtime/store/migrations.ts';
import { testPorts } from '../../support/cli-ports.ts';
import { type RecordingOutput, recordingOutput } from '../../support/output.ts';
import { runStateCommand, stoppedDaemon } from './state-directory.ts';

describe('state backup', () => {
  it('copies the database and prints its size and version, as text and as JSON', async () => {
    const folder = stoppedDaemon();
    const [file, other] = [join(folder, 'copy'), join(folder, 'other')];
    const { code, out } = await runStateCommand('backup', file, '--state-dir', folder);
    expect([code, out]).toEqual([0, `${file}: ${statSync(file).size} bytes, schema version ${currentSchemaVersion}\n`]);
    const json = await runStateCommand('backup', other, '--state-dir', folder, '--json');
    expect(JSON.parse(json.out)).toEqual({
      file: other,
      bytes: statSync(other).size,
      schema_version: currentSchemaVersion,
    });
  });

  it('fails with the reason', async () => {
    const folder = stoppedDaemon();
    const file = join(folder, 'state.db');
    const { code, out, error } = await runStateCommand('backup', file, '--state-dir', folder);
    expect([code, out]).toEqual([1, '']);
    expect(error).toBe(`graphwarden: cannot write '${file}': the file already exists; it was not changed\n`);
  });

  it('writes no copy to a terminal, and no JSON into a copy', async () => {
    const [terminal, pipe] = [recordingOutput(true), recordingOutput()];
    await expect(streamTo(terminal, {})).rejects.toThrow('redirect the output to a file');
    await expect(streamTo(pipe, { json: '' })).rejects.toThrow('mutually exclusive');
  });
});

async function streamTo(stdout: RecordingOutput, flags: Readonly<Record<string, string>>) {
  return stateBackup.run({ flags, arguments: ['-'] }, { ...testPorts(), stdout }, []);
}
