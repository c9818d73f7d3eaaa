import { PassThrough, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { err, ok } from '../../src/kernel/result.ts';
import type { Output } from '../../src/kernel/system.ts';
import { standardOutput } from '../../src/runtime/process.ts';

it('process output › writes to the stream', async () => {
  const stream = new PassThrough();
  const output = standardOutput(stream);
  output.write('a');
  output.write('b');
  stream.end();
  expect(await text(stream)).toBe('ab');
  expect(output.isTerminal).toBe(false);
});

it('process output › detects a terminal', () => {
  expect(standardOutput(Object.assign(new PassThrough(), { isTTY: true })).isTerminal).toBe(true);
});

it('process output › continues after the reader has closed the pipe', async () => {
  const stream = new PassThrough();
  const output = standardOutput(stream);
  stream.destroy(new Error('EPIPE'));
  await new Promise((resolve) => stream.once('close', resolve));
  output.write('into the void');
  expect(stream.destroyed).toBe(true);
  expect(output.isClosed).toBe(true);
});

function failing(code: string): Output {
  const write = (_chunk: unknown, _encoding: unknown, done: (error: Error) => void): void =>
    done(Object.assign(new Error('write'), { code }));
  return standardOutput(new Writable({ write }));
}

it('process output › resolves when all output is written', async () => {
  const output = standardOutput(new PassThrough());
  output.write('a');
  expect(await output.flushed()).toEqual(ok(undefined));
  expect(output.isClosed).toBe(false);
});

it('process output › returns the reason of a failed write', async () => {
  const output = failing('ENOSPC');
  output.write('a');
  expect(await output.flushed()).toEqual(err('the disk is full'));
  expect(output.isClosed).toBe(true);
});

it('process output › reports no error when the reader closes the pipe', async () => {
  const output = failing('EPIPE');
  output.write('a');
  output.write('b');
  expect(await output.flushed()).toEqual(ok(undefined));
  expect(output.isClosed).toBe(true);
});
