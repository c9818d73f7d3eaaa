import { describe, expect, it } from 'vitest';
import {
  commit,
  components,
  echo,
  gsqlVersion,
  ping,
  restppVersion,
} from '../../../src/simulator/endpoints/liveness.ts';
import { FakeClock } from '../../support/clock.ts';
import { callOn, jsonOf, worldOf } from '../test-world.ts';

describe('ping and echo', () => {
  it('answer as real servers print it', async () => {
    expect(await jsonOf(ping(callOn(worldOf())))).toEqual({ error: false, message: 'pong', results: null });
    expect((await echo(callOn(worldOf()))).body).toBe('{"error":false, "message":"Hello GSQL"}');
  });

  it('take their time when asked', async () => {
    const clock = new FakeClock();
    let answered = false;
    const answer = echo(callOn(worldOf(), { clock, query: new URLSearchParams('sleep=3') })).finally(() => {
      answered = true;
    });
    await clock.advance(2_900);
    expect(answered).toBe(false);
    await clock.advance(100);
    await answer;
    expect(answered).toBe(true);
  });
});

describe('the versions', () => {
  it('are a table in white space, with error as text', async () => {
    const version = await jsonOf(restppVersion(callOn(worldOf({ version: '4.2.1' }))));
    expect(version).toMatchObject({
      error: 'false',
      message: expect.stringContaining(' RESTPP: \n --- Version ---\n'),
    });
    const { message } = Object(version) as { message: string };
    const rows = message.split('\n').slice(2, -1);
    expect(rows.map((row) => row.split(/\s+/)[0])).toEqual([...components]);
    for (const row of rows) {
      expect(row).toMatch(/^\w+ +release_4\.2\.1_\d\d-\d\d-\d{4} +[0-9a-f]{40} +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d -0700$/);
    }
  });

  it('have a commit of their own for each component and release', () => {
    const commits = components.flatMap((name) => [commit(name, '4.1.2'), commit(name, '4.2.1')]);
    expect(new Set(commits).size).toBe(2 * components.length);
  });

  it('are plain text from the GSQL server', async () => {
    const short = await gsqlVersion(callOn(worldOf()));
    expect(short.headers['content-type']).toContain('text/plain');
    expect(short.body).toMatch(
      /^GSQL version: 4\.1\.2\nGSQL commit number: [0-9a-f]{40}\nGSQL commit date: \S+ \S+ -0700\n$/,
    );
    const long = await gsqlVersion(callOn(worldOf(), { query: new URLSearchParams('verbose') }));
    expect(long.body).toContain('simulation');
  });
});
