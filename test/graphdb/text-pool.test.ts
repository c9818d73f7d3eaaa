import { describe, expect, it } from 'vitest';
import { detach, TextPool } from '../../src/graphdb/text-pool.ts';

describe('the pool', () => {
  it('gives the text back, whatever it is', () => {
    const pool = new TextPool();
    for (const text of ['', 'a', 'svc_cpu_usage', 'Größe 名 😀', '\ufeffa', '\0']) {
      expect(pool.own(text)).toBe(text);
      expect(pool.own(text)).toBe(text);
      expect(pool.short(text)).toBe(text);
      expect(detach(text)).toBe(text);
    }
  });

  it('goes on when it was full', () => {
    const pool = new TextPool();
    for (let at = 0; at < 25_000; at += 1) expect(pool.own(`text ${at}`)).toBe(`text ${at}`);
  });
});
