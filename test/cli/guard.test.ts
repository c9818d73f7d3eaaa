import { describe, expect, it } from 'vitest';
import { answering, serve } from '../support/serving.ts';
import { guarding, said } from './guarding.ts';

describe('guard pause and resume', () => {
  it('hold it and let it go', async () => {
    const { control, url } = await guarding();
    expect(await said(url, 'guard', 'pause')).toEqual({ code: 0, out: 'the guard is paused\n', error: '' });
    expect(control.paused().reasons).toEqual(['operator']);
    expect(await said(url, 'guard', 'resume')).toEqual({ code: 0, out: 'the guard goes on\n', error: '' });
    expect(control.paused().isPaused).toBe(false);
  });

  it('say what goes on to hold it', async () => {
    const { control, url } = await guarding();
    control.reasons.add('file');
    const { code, out, error } = await said(url, 'guard', 'resume');
    expect([code, out]).toEqual([1, '']);
    expect(error).toContain('The guard does not go on: there is a file.');
  });

  it('say that a restart forgets it', async () => {
    const { control, url } = await guarding();
    control.isForgetful = true;
    const { code, error } = await said(url, 'guard', 'pause');
    expect([code, error]).toEqual([1, expect.stringContaining('a restart forgets it')]);
  });
});

describe('guard reset-breaker', () => {
  it.each([[['same_query fraud ring_scan']], [['same_query', 'fraud', 'ring_scan']]])('closes %j', async (key) => {
    const { control, url } = await guarding();
    expect(await said(url, 'guard', 'reset-breaker', 'prod', ...key)).toEqual({
      code: 0,
      out: 'same_query fraud ring_scan is closed in prod\n',
      error: '',
    });
    expect(control.resets).toEqual(['prod same_query fraud ring_scan 127.0.0.1']);
  });

  it('says so where none such is open', async () => {
    const { url } = await guarding();
    const { code, error } = await said(url, 'guard', 'reset-breaker', 'prod', 'no_relief x');
    expect([code, error]).toEqual([1, expect.stringContaining("No breaker 'no_relief x' is open in 'prod'")]);
  });

  it.each([
    [[], 'CLUSTER is missing'],
    [['prod'], 'KEY is missing'],
  ])('%j is misused: %s', async (args, message) => {
    const { url } = await guarding();
    expect(await said(url, 'guard', 'reset-breaker', ...args)).toMatchObject({
      code: 2,
      error: expect.stringContaining(message),
    });
  });
});

describe('guard status', () => {
  it('is for people', async () => {
    const { control, url } = await guarding();
    control.reasons.add('file');
    const { code, out } = await said(url, 'guard', 'status');
    expect(code).toBe(0);
    expect(out).toMatch(/^the guard is paused: it aborts nothing\n {2}there is a file guard\.paused/);
    expect(out).toContain('prod     same_query fraud ring_scan\n');
  });

  it('is JSON for scripts', async () => {
    const { url } = await guarding();
    const { out } = await said(url, 'guard', 'status', '--json');
    expect(JSON.parse(out)).toMatchObject({
      paused: false,
      reasons: [],
      policies: [{ name: 'runaway', mode: 'enforce' }],
    });
  });

  it('is not read out of any answer', async () => {
    const { url } = await serve(answering({ body: '{"paused":"no"}' }));
    expect(await said(url, 'guard', 'status')).toMatchObject({
      code: 1,
      error: expect.stringContaining('does not tell'),
    });
  });
});
