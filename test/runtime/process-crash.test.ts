import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { exitOnUncaughtError } from '../../src/runtime/process.ts';
import { recordingOutput } from '../support/output.ts';

it.each(['uncaughtException', 'unhandledRejection'] as const)(
  'process crash › %s ends the program with a last log line',
  (event) => {
    const source = new EventEmitter();
    const out = recordingOutput();
    const codes: number[] = [];
    exitOnUncaughtError(source, out, (code) => codes.push(code));
    source.emit(event, new TypeError('x is not a function, at http://user:hidden@db/'));
    expect(codes).toEqual([1]);
    expect(out.text().endsWith('\n')).toBe(true);
    const line: unknown = JSON.parse(out.text());
    expect(line).toMatchObject({ level: 'error', error: { name: 'TypeError' } });
    expect(out.text()).not.toContain('hidden');
  },
);

it('a crash prints any thrown value', () => {
  const source = new EventEmitter();
  const out = recordingOutput();
  exitOnUncaughtError(source, out, () => {});
  source.emit('unhandledRejection', 'a mere text');
  expect(JSON.parse(out.text())).toMatchObject({ error: 'a mere text' });
});
