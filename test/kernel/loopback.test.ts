import { expect, it } from 'vitest';
import { isLoopback } from '../../src/kernel/loopback.ts';

it.each(['localhost', '127.0.0.1', '127.255.0.3', '::1', '[::1]'])('loopback › %s is this machine', (host) => {
  expect(isLoopback(host)).toBe(true);
});

it.each(['', '10.0.0.1', '128.0.0.1', '127.0.0.1.example.org', 'localhost.example.org', 'x127.0.0.1', '[::2]', '::'])(
  'loopback › %j is another machine',
  (host) => {
    expect(isLoopback(host)).toBe(false);
  },
);
