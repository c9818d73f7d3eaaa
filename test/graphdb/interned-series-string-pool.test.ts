import { describe, expect, it } from 'vitest';
import { copyString, StringPool } from '../../src/graphdb/interned-series.ts';

describe('the pool', () => {
  it('returns any text unchanged', () => {
    const pool = new StringPool();
    for (const text of ['', 'a', 'svc_cpu_usage', 'Größe 名 😀', '\ufeffa', '\0']) {
      expect(pool.intern(text)).toBe(text);
      expect(pool.intern(text)).toBe(text);
      expect(pool.internShort(text)).toBe(text);
      expect(copyString(text)).toBe(text);
    }
  });

  it('continues when it was full', () => {
    const pool = new StringPool();
    for (let at = 0; at < 25_000; at += 1) expect(pool.intern(`text ${at}`)).toBe(`text ${at}`);
  });
});
