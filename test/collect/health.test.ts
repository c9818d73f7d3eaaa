import { describe, expect, it } from 'vitest';
import { health } from '../../src/collect/health.ts';
import { failureReasons } from '../../src/kernel/failure.ts';
import { ok } from '../../src/kernel/result.ts';
import { failed, fakeGraphDb } from '../support/fake-graphdb.ts';
import { pollOnce, renderResult } from '../support/poll-results.ts';

const gpe = { component: 'gpe', version: '4.2.1', commit: 'a1b2' };
const gsql = { component: 'gsql', version: '4.2.1', commit: 'c3d4' };
const gpeLine = 'graphdb_build_info{component="gpe",version="4.2.1",commit="a1b2"} 1';

describe('health', () => {
  it('shows a node that answers, with its components', async () => {
    const { error, lines, calls } = await pollOnce(health, {
      ping: ok(true),
      echo: ok(true),
      versions: ok([gpe, gsql]),
    });
    expect(error).toBeUndefined();
    expect(calls).toEqual(['ping', 'echo', 'versions']);
    expect(lines).toEqual([
      'graphdb_up 1',
      'graphdb_reachable 1',
      gpeLine,
      'graphdb_build_info{component="gsql",version="4.2.1",commit="c3d4"} 1',
    ]);
  });

  it('exposes a component once, even if the server repeats it', async () => {
    const { lines } = await pollOnce(health, { ping: ok(true), echo: ok(true), versions: ok([gpe, gpe]) });
    expect(lines).toEqual(['graphdb_up 1', 'graphdb_reachable 1', gpeLine]);
  });

  it.each(failureReasons)('is down when the liveness call fails with %s, without further requests', async (reason) => {
    const { error, lines } = await pollOnce(health, { ping: failed(reason) });
    expect(error?.reason).toBe(reason);
    const hasResponse = ['status', 'body', 'too_large', 'unsupported'].includes(reason);
    expect(lines).toEqual(['graphdb_up 0', `graphdb_reachable ${hasResponse ? 1 : 0}`]);
  });

  it.each(failureReasons)('is up while the versions fail with %s', async (reason) => {
    const { error, lines } = await pollOnce(health, { ping: ok(true), echo: ok(true), versions: failed(reason) });
    expect(error?.reason).toBe(reason);
    expect(lines).toEqual(['graphdb_up 1', 'graphdb_reachable 1']);
  });

  it('is up, with its versions, while echo fails, and reports the first failure', async () => {
    const one = await pollOnce(health, { ping: ok(true), echo: failed('status'), versions: ok([gpe]) });
    expect(one).toMatchObject({ error: { reason: 'status' }, lines: ['graphdb_up 1', 'graphdb_reachable 1', gpeLine] });
    const both = await pollOnce(health, { ping: ok(true), echo: failed('status'), versions: failed('auth') });
    expect(both).toMatchObject({ error: { reason: 'status' }, lines: ['graphdb_up 1', 'graphdb_reachable 1'] });
  });

  it('is up when the echo hangs until the deadline', async () => {
    const abort = new AbortController();
    const db = fakeGraphDb({ ping: ok(true), echo: 'hangs', versions: ok([gpe]) });
    const reading = health.poll(db, abort.signal);
    await Promise.resolve();
    abort.abort();
    const result = await reading;
    db.finish();
    expect(result).toMatchObject({ ok: false, error: { reason: 'timeout' } });
    expect(renderResult(health, result)).toEqual(['graphdb_up 1', 'graphdb_reachable 1']);
  });
});
