import { execFileSync } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openReadOnlyDatabase } from '../../../src/runtime/store/read-only-database.ts';
import { openStateFile, stateFilePath } from '../../../src/runtime/store/state-file.ts';
import { type Child, eventually, startChild } from '../../support/child.ts';
import { findTool, requireTool } from '../../support/tools.ts';
import { note, noteTables } from './notes.ts';
import { temporaryStateDir } from './temporary-folder.ts';

const writer = fileURLToPath(new URL('./writer.ts', import.meta.url));

/** Starts the writer, behind a program that limits or watches it. */
function startWriter(folder: string, options: readonly string[], before: readonly string[] = []): Child {
  const [program = '', ...args] = [...before, process.execPath, writer, folder, ...options];
  const child = startChild(program, args);
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await child.ended;
  });
  return child;
}

/** The numbers of notes whose commits were said to be done. */
function reported(output: string): readonly number[] {
  return [...output.matchAll(/^(\d+) ok$/gm)].map((match) => Number(match[1]));
}

function storedIn(folder: string): readonly number[] {
  const file = openStateFile(folder, { steps: [noteTables] });
  if (!file.ok || file.value.movedAside !== undefined) throw new Error('the database is not what it was');
  const rows = file.value.database.find({ table: 'notes', order: ['rank'] });
  file.value.database.close();
  return rows.map(({ rank }) => Number(rank));
}

describe('a process that is killed', () => {
  it.each([3, 47, 110, 190])(
    'after %i ms of writes has stored all confirmed commits in their order',
    async (length) => {
      const folder = temporaryStateDir();
      const child = startWriter(folder, ['5', '300']);
      await eventually('it writes', async () => reported(child.stdout()).length > 0);
      await new Promise((resolve) => setTimeout(resolve, length));
      child.kill('SIGKILL');
      expect(await child.ended).toBe(137);
      const stored = storedIn(folder);
      const lastReported = Math.max(...reported(child.stdout()));
      expect(stored).toEqual(Array.from({ length: stored.length }, (_, index) => index + 1));
      expect(stored.length).toBeGreaterThanOrEqual(lastReported);
    },
  );
});

describe.skipIf(findTool('strace') === undefined)('the calls of the system', () => {
  it('sync a commit to the disk before it is confirmed', async () => {
    const folder = temporaryStateDir();
    const trace = join(temporaryStateDir(), 'trace');
    const calls = 'trace=fsync,fdatasync,write,pwrite64';
    // The tracer stands beside (-D), so that the child is the writer itself.
    const child = startWriter(folder, ['1', '10'], ['strace', '-D', '-f', '-e', calls, '-o', trace]);
    await eventually('it wrote', async () => reported(child.stdout()).length >= 20);
    child.kill('SIGKILL');
    await child.ended;
    await eventually('the trace is written', async () => readFileSync(trace, 'utf8').includes('+++ killed by SIGKILL'));
    const lines = readFileSync(trace, 'utf8').split('\n');
    const ends = lines.flatMap((line, index) => (/write\(1, "\d+ ok/.test(line) ? [index] : []));
    expect(ends.length).toBeGreaterThanOrEqual(20);
    for (const [number, end] of ends.entries()) {
      const since = lines.slice(ends[number - 1] ?? 0, end);
      expect(since.some((line) => /f(data)?sync.*= 0$/.test(line))).toBe(true);
      expect(since.findLastIndex((line) => line.includes('pwrite64'))).toBeLessThan(
        since.findLastIndex((line) => /f(data)?sync.*= 0$/.test(line)),
      );
    }
  });
});

describe.skipIf(findTool('prlimit') === undefined)('a disk that is full', () => {
  it('keeps the state in memory until space is available', async () => {
    const folder = temporaryStateDir();
    // A limit to the size of files is the disk's end that needs no disk of its own.
    const child = startWriter(folder, ['1', '100000', '5'], ['prlimit', '--fsize=3000000:unlimited']);
    const message =
      /^(\d+) the state of '.+' is kept only in memory: the disk (is full|could not be read or written)$/m;
    await eventually('it is full', async () => message.test(child.stdout()));
    const before = reported(child.stdout()).length;
    expect(before).toBeGreaterThan(0);
    execFileSync(requireTool('prlimit'), ['--pid', String(child.pid), '--fsize=unlimited:unlimited']);
    await eventually('it is durable again', async () => reported(child.stdout()).length > before + 10);
    child.kill('SIGKILL');
    await child.ended;
    const stored = storedIn(folder);
    expect(stored).toEqual(Array.from({ length: stored.length }, (_, index) => index + 1));
    expect(stored.length).toBeGreaterThanOrEqual(Math.max(...reported(child.stdout())));
  });
});

describe.skipIf(findTool('prlimit') === undefined)('a migration on a disk that is full', () => {
  it('is refused with a reason, without changes and without a partial copy', () => {
    const folder = temporaryStateDir();
    const file = openStateFile(folder, { steps: [noteTables] });
    if (!file.ok) throw new Error(file.error.message);
    file.value.database.commit([Array.from({ length: 1000 }, (_, id) => note(String(id), 'x'.repeat(300)))]);
    file.value.database.close();
    const before = readFileSync(stateFilePath(folder));
    const source = new URL('../../../src/runtime/store/state-database.ts', import.meta.url);
    const program = `
      import { StateDatabase } from '${source.href}';
      const [folder, tables] = process.argv.slice(1);
      const retention = { transitions: 9e15, audit: 9e15, notifications: 9e15, size: 9e15 };
      const options = { folder, retention, steps: [JSON.parse(tables), []], retryAfter: 1e9, trimAfter: 1e9 };
      const { value } = StateDatabase.open(options);
      process.stdout.write(value.status.problem + ' ' + value.count({ table: 'notes' }));`;
    const args = ['--fsize=100000', process.execPath, '--input-type=module', '--eval', program];
    const output = execFileSync(requireTool('prlimit'), [...args, folder, JSON.stringify(noteTables)], {
      encoding: 'utf8',
    });
    const refusal = `it was not migrated from schema version 1 to 2, because its copy '${stateFilePath(folder)}.version-1.backup' cannot be written: `;
    expect(output).toContain(refusal);
    expect(output).toMatch(/: the disk (?:is full|could not be read or written) 1000$/);
    expect(readFileSync(stateFilePath(folder)).equals(before)).toBe(true);
    expect(readdirSync(folder).toSorted()).toEqual(['lock', 'state.db']);
  });
});

describe.skipIf(findTool('setpriv') === undefined)('a read-only folder', () => {
  // For root there is no such folder, unless it gives away the right to overrule.
  const asAnybody =
    process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-dac_override', '--inh-caps=-dac_override'] : [];

  it('is read, and new rows are kept in memory', async () => {
    const folder = temporaryStateDir();
    const file = openStateFile(folder, { steps: [noteTables] });
    if (!file.ok) throw new Error(file.error.message);
    file.value.database.commit([[note('a', 'from before'), note('b', 'from before')]]);
    file.value.database.close();
    chmodSync(stateFilePath(folder), 0o444);
    chmodSync(folder, 0o555);
    const child = startWriter(folder, ['1', '10', '20'], asAnybody);
    const message = `the state of '${folder}' is kept only in memory: `;
    await eventually('it goes on', async () => child.stdout().includes(`3 ${message}`));
    expect(child.stdout()).toContain('found 2\n');
    expect(reported(child.stdout())).toEqual([]);
    expect(readdirSync(folder)).toEqual(['state.db']);
    chmodSync(folder, 0o755);
    chmodSync(stateFilePath(folder), 0o644);
    await eventually('it is durable', async () => reported(child.stdout()).length > 3);
    child.kill('SIGKILL');
    await child.ended;
    const opened = openReadOnlyDatabase(folder, [noteTables]);
    expect(opened.ok && opened.value.count({ table: 'notes' })).toBeGreaterThan(5);
  });
});
