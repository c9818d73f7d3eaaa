import { PassThrough, Writable } from 'node:stream';
import { expect, it } from 'vitest';
import type { Output } from '../../src/kernel/process.ts';
import { err, ok } from '../../src/kernel/result.ts';
import { outputTo } from '../../src/runtime/output.ts';

it('writes to the stream', () => {
  const stream = new PassThrough();
  const output = outputTo(stream);
  output.write('a');
  output.write('b');
  expect(stream.read().toString()).toBe('ab');
  expect(output.terminal).toBe(false);
});

it('knows a terminal', () => {
  expect(outputTo(Object.assign(new PassThrough(), { isTTY: true })).terminal).toBe(true);
});

it('survives a reader that went away', async () => {
  const stream = new PassThrough();
  const output = outputTo(stream);
  stream.destroy(new Error('EPIPE'));
  await new Promise((resolve) => stream.once('close', resolve));
  output.write('into the void');
  expect(stream.destroyed).toBe(true);
  expect(output.closed).toBe(true);
});

function failing(code: string): Output {
  const write = (_chunk: unknown, _encoding: unknown, done: (error: Error) => void): void =>
    done(Object.assign(new Error('write'), { code }));
  return outputTo(new Writable({ write }));
}

it('is settled when all is written', async () => {
  const output = outputTo(new PassThrough());
  output.write('a');
  expect(await output.settled()).toEqual(ok(undefined));
  expect(output.closed).toBe(false);
});

it('says why what was written is lost', async () => {
  const output = failing('ENOSPC');
  output.write('a');
  expect(await output.settled()).toEqual(err('the disk is full'));
  expect(output.closed).toBe(true);
});

it('blames nobody for a reader that has seen enough', async () => {
  const output = failing('EPIPE');
  output.write('a');
  output.write('b');
  expect(await output.settled()).toEqual(ok(undefined));
  expect(output.closed).toBe(true);
});
