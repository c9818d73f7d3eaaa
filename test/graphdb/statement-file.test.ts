import { describe, expect, it } from 'vitest';
import { createStatementFile, parseStatements } from '../../src/graphdb/statement-file.ts';
import { FakeFiles } from '../support/fake-files.ts';
import { recordingLogger } from '../support/logger.ts';

const path = '/etc/graphwarden/statements.txt';

describe('the lines of a statements file', () => {
  it('are names and request ids; comments and empty lines are ignored', () => {
    const text = '# nightly\r\nexport  0001.12\n\n  load\t0001.13   # until Friday\n';
    expect(parseStatements(path, text, {})).toEqual({
      statements: { export: '0001.12', load: '0001.13' },
      problems: [],
    });
  });

  it.each([
    ['alone', 'must be a name and a request id, separated by blanks'],
    ['one two three', 'has more than a name and a request id'],
    [
      '-wrong 1.2',
      'the name must be 1 to 63 letters, digits, dots, dashes or underscores, and begin with a letter or digit',
    ],
    ['name ../../drop-all', 'the second word must be a request id'],
    ['name <img>', 'the second word must be a request id'],
    ['first 9.9', 'the name occurs in an earlier line; use another one'],
    ['configured 9.9', 'the name is in clusters[].statements as well; use another one'],
    [
      '__proto__ ..',
      'the name must be 1 to 63 letters, digits, dots, dashes or underscores, and begin with a letter or digit',
    ],
  ])('%j has its problem with its number, and the others are kept', (line, problem) => {
    const { statements, problems } = parseStatements(path, `first 1.1\n${line}\nlast 1.3`, { configured: '1' });
    expect(problems).toEqual([`${path}:2: ${problem}`]);
    expect(statements).toEqual({ first: '1.1', last: '1.3' });
  });

  it('are limited to the maximum of polled statements, and the file has a maximum size', () => {
    const text = Array.from({ length: 1005 }, (_, at) => `s${at} 1.${at}`).join('\n');
    const { statements, problems } = parseStatements(path, text, { configured: '1' });
    expect(Object.keys(statements)).toHaveLength(99);
    expect(problems[0]).toBe(`${path}:100: is one of more than 100 statements; remove those that ended`);
    expect(problems.at(-1)).toMatch(/:1001: the file has more than 1000 lines/);
    expect(problems).toHaveLength(902);
  });
});

describe('a statements file', () => {
  function setUp(texts: Readonly<Record<string, string>>) {
    const files = new FakeFiles(texts);
    const log = recordingLogger();
    return { files, log, file: createStatementFile({ path, files, log, configured: {} }) };
  }

  it('is read again only when it changes', async () => {
    const { files, file } = setUp({ [path]: 'a 1.1' });
    await file.read();
    expect((await file.read()).statements).toEqual({ a: '1.1' });
    expect(files.reads).toHaveLength(1);
    files.write(path, 'b 1.2');
    expect((await file.read()).statements).toEqual({ b: '1.2' });
    expect(files.reads).toHaveLength(2);
  });

  it('logs its problems once, and that they are over', async () => {
    const { files, log, file } = setUp({ [path]: 'a 1.1\nwrong' });
    await file.read();
    await file.read();
    expect(log.lines.map(({ message, fields }) => [message, fields.error])).toEqual([
      ['statements file problem', `${path}:2: must be a name and a request id, separated by blanks`],
    ]);
    files.write(path, 'a 1.1');
    await file.read();
    expect(log.lines.at(-1)?.message).toBe('statements file valid');
  });

  it('keeps its last content while it cannot be read, and reports that', async () => {
    const { files, log, file } = setUp({ [path]: 'a 1.1' });
    await file.read();
    files.remove(path);
    const content = await file.read();
    expect(content).toMatchObject({
      statements: { a: '1.1' },
      problems: [`${path}: cannot read '${path}': no such file`],
    });
    await file.read();
    expect(log.lines).toHaveLength(1);
    files.write(path, 'b 1.2');
    expect(await file.read()).toMatchObject({ statements: { b: '1.2' }, problems: [] });
  });

  it('with many problems logs a limited number of lines', async () => {
    const { log, file } = setUp({ [path]: 'wrong\n'.repeat(50) });
    await file.read();
    expect(log.lines).toHaveLength(21);
    expect(log.lines.at(-1)?.fields).toEqual({ file: path, problems: 30 });
  });
});
