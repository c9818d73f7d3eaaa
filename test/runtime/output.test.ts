import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
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
});
