import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { signalsOf } from '../../src/runtime/process.ts';

it('handles the named signal until the handler is removed', () => {
  const source = new EventEmitter();
  const seen: string[] = [];
  const release = signalsOf(source).on('SIGHUP', () => seen.push('SIGHUP'));
  signalsOf(source).on('SIGTERM', () => seen.push('SIGTERM'));
  source.emit('SIGHUP');
  source.emit('SIGTERM');
  release();
  source.emit('SIGHUP');
  expect(seen).toEqual(['SIGHUP', 'SIGTERM']);
  expect(source.listenerCount('SIGHUP')).toBe(0);
});

it('takes a real signal of the process', async () => {
  const arrived = Promise.withResolvers<void>();
  const release = signalsOf(process).on('SIGHUP', arrived.resolve);
  process.kill(process.pid, 'SIGHUP');
  await arrived.promise;
  release();
});
