import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runStateCommand, stoppedDaemon } from './state-directory.ts';

describe('state check', () => {
  it('prints the checks, and the rows of each table', async () => {
    const folder = stoppedDaemon();
    const { code, out } = await runStateCommand('check', '--state-dir', folder);
    expect(code).toBe(0);
    expect(out).toMatch(new RegExp(`^${folder}/state\\.db\n\nCHECK +RESULT +DETAIL\nfile +ok +\\d+ bytes\n`));
    expect(out).toMatch(/program +ok +graphwarden 1\.2\.3, 20.+Z\nschema +ok +version 10\nintegrity +ok /);
    expect(out).toMatch(/TABLE +ROWS +OLDEST +NEWEST\n/);
    expect(out).toMatch(/guard_actions +1 +2026-01-31 12:00:00Z +2026-01-31 12:00:00Z\n/);
    expect(out).toMatch(/silences +1 +- +-\n/);
  });

  it('prints JSON', async () => {
    const file = join(stoppedDaemon(), 'state.db');
    const { code, out } = await runStateCommand('check', file, '--json');
    const report = JSON.parse(out);
    expect([code, report]).toMatchObject([
      0,
      {
        file,
        schema_version: 10,
        supported_version: 10,
        program: '1.2.3',
        checks: [{ name: 'file', result: 'ok' }, {}, {}, {}, {}],
      },
    ]);
    const time = '2026-01-31T12:00:00.000Z';
    expect(report.tables).toContainEqual({ name: 'guard_actions', rows: 1, oldest: time, newest: time });
    expect(report.tables).toContainEqual({ name: 'silences', rows: 1, oldest: null, newest: null });
  });

  it('exits with 1 if a check fails, and prints it', async () => {
    const file = join(stoppedDaemon(), 'state.db');
    writeFileSync(file, 'text\n'.repeat(99));
    expect(await runStateCommand('check', file)).toEqual({
      code: 1,
      out: `${file}\n\nCHECK  RESULT  DETAIL\nfile   failed  not an SQLite database\n`,
      error: '',
    });
    expect(JSON.parse((await runStateCommand('check', file, '--json')).out)).toMatchObject({
      schema_version: null,
      program: null,
      tables: [],
    });
  });

  it('exits with 1 if there is no database', async () => {
    const folder = join(stoppedDaemon(), 'nowhere');
    const { code, error } = await runStateCommand('check', '--state-dir', folder);
    expect([code, error]).toEqual([1, `graphwarden: there is no database in '${folder}'\n`]);
  });
});
