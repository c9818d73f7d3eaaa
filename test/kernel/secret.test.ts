import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { Secret } from '../../src/kernel/secret.ts';

describe('a secret', () => {
  const secret = new Secret('hunter2');

  it('is revealed on demand', () => {
    expect(secret.reveal()).toBe('hunter2');
  });

  it.each([
    ['a text', `at ${secret.toString()}`],
    ['JSON', JSON.stringify({ secret })],
    ['a log line', inspect({ deep: { secret } }, { depth: 9, showHidden: true })],
    ['its fields', JSON.stringify(Object.entries(secret))],
    ['an error', new Error(`refused: ${String(secret)}`).message],
    ['a clone', inspect(structuredClone(secret))],
  ])('does not show in %s', (_, text) => {
    expect(text).not.toContain('hunter2');
  });
});
