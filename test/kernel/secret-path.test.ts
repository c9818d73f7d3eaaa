import { describe, expect, it } from 'vitest';
import { looksLikeSecret, printablePath } from '../../src/kernel/secret-path.ts';

describe('looksLikeSecret', () => {
  it.each([
    'https://hooks.example.org/services/T0/B0/x',
    'Bearer x',
    'a\nb',
    '-----BEGIN PRIVATE KEY-----',
    '0123456789ABCDEF0123456789ABCDEF',
    'jiokmfqqfu2f95qs6ug85o89rpkneib3',
    'xoxb1234-AbCdEfGhIjKlMn',
    '123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw',
  ])('%j looks like a secret', (text) => {
    expect(looksLikeSecret(text)).toBe(true);
  });

  it.each(['', 'token', 'graph-read-token-2024.txt', 'GRAPH_READ_TOKEN_PRODUCTION', 'secrets/graphwarden'])(
    '%j does not',
    (text) => {
      expect(looksLikeSecret(text)).toBe(false);
    },
  );
});

it('path for messages › keeps existing parts, and replaces the rest if it may be a secret', async () => {
  const there = new Set(['/', '/run', '/run/secrets', '/run/secrets/jiokmfqqfu2f95qs6ug85o89rpkneib3']);
  const files = { presence: async (path: string) => (there.has(path) ? ('present' as const) : ('absent' as const)) };
  const shown = (path: string) => printablePath(path, files);
  expect(await shown('/run/secrets/jiokmfqqfu2f95qs6ug85o89rpkneib4')).toBe('/run/secrets/…');
  expect(await shown('/run/secrets/jiokmfqqfu2f95qs6ug85o89rpkneib3')).toBe(
    '/run/secrets/jiokmfqqfu2f95qs6ug85o89rpkneib3',
  );
  expect(await shown('/run/secrets/token')).toBe('/run/secrets/token');
  expect(await shown('jiokmfqqfu2f95qs6ug85o89rpkneib3')).toBe('…');
});
