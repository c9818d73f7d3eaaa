import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { currentSchemaVersion } from '../../../src/runtime/store/migrations.ts';
import { runStateCommand, stoppedDaemon } from './state-directory.ts';

describe('state restore', () => {
  it('replaces the database and prints where the former one is, as text and as JSON', async () => {
    const [folder, other] = [stoppedDaemon(), stoppedDaemon()];
    const copy = join(other, 'state.db');
    const { code, out } = await runStateCommand('restore', copy, '--state-dir', folder);
    const [replaced = ''] = readdirSync(folder).filter((name) => name.includes('.replaced-'));
    expect([code, out]).toEqual([
      0,
      `${folder}/state.db restored from ${copy}, schema version ${currentSchemaVersion}; the replaced database is '${folder}/${replaced}'\n`,
    ]);
    const fresh = join(other, 'fresh');
    const json = await runStateCommand('restore', copy, '--state-dir', fresh, '--json');
    expect(JSON.parse(json.out)).toEqual({
      file: `${fresh}/state.db`,
      schema_version: currentSchemaVersion,
      replaced: null,
    });
    expect((await runStateCommand('restore', join(folder, replaced), '--state-dir', fresh)).code).toBe(0);
  });

  it('fails with the reason', async () => {
    const { code, out, error } = await runStateCommand('restore', '/dev/null', '--state-dir', stoppedDaemon());
    expect([code, out, error]).toEqual([1, '', "graphwarden: cannot read '/dev/null': it is a device\n"]);
  });
});
