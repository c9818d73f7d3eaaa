import { describe, expect, it } from 'vitest';
import { createReload, type LoadConfig, type ReloadOptions } from '../../src/cli/config-reload.ts';
import type { Config, LoadedConfig } from '../../src/config/config.ts';
import { loadConfig } from '../../src/config/load.ts';
import { err, ok } from '../../src/kernel/result.ts';
import type { ConfigProblem } from '../../src/model/config-problem.ts';
import { FakeClock } from '../support/clock.ts';
import { recordingLogger } from '../support/logger.ts';

function config(more: Record<string, unknown> = {}): LoadedConfig {
  const clusters = [{ name: 'prod', nodes: [{ name: 'm1', url: 'http://127.0.0.1:1' }] }];
  const loaded = loadConfig(JSON.stringify({ clusters, ...more }), 'test', {});
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error));
  return loaded.value;
}

const problem: ConfigProblem = { file: 'a.yml', line: 1, column: 2, path: 'x', message: 'unknown key' };

type Loaded = Awaited<ReturnType<LoadConfig>>['loaded'];

function reloading(
  load: () => Promise<Loaded>,
  apply: ReloadOptions['apply'] = async () => {},
  isStateVolatile = false,
  web: readonly ConfigProblem[] = [],
) {
  const clock = new FakeClock();
  const kept: unknown[] = [];
  const log = recordingLogger();
  const outcomes: boolean[] = [];
  const applied: Config[] = [];
  const reload = createReload(config(), {
    load: async () => ({ text: '{}', loaded: await load() }),
    webProblems: async () => web,
    keep: async (text, accepted) => void kept.push([text, accepted]),
    environment: {},
    clock,
    apply: async (next) => {
      applied.push(next);
      await apply(next);
    },
    onReload: (succeeded) => outcomes.push(succeeded),
    file: 'graphwarden.yml',
    isStateVolatile,
    log,
  });
  return { reload, log, outcomes, applied, clock, kept };
}

describe('a reload', () => {
  it('applies a valid configuration', async () => {
    const next = config({ log: { level: 'debug' } });
    const { reload, log, outcomes, applied, kept } = reloading(async () => ok(next));
    expect(await reload()).toEqual({ ok: true, value: [] });
    expect(kept).toEqual([['{}', next]]);
    expect(applied).toEqual([next]);
    expect(outcomes).toEqual([true]);
    expect(log.lines).toEqual([{ level: 'info', message: 'config reloaded', fields: {} }]);
  });

  it('logs the first problems of a file with thousands of them, and the number of the others', async () => {
    const { reload, log } = reloading(async () => err(Array.from({ length: 3000 }, () => problem)));
    await reload();
    const fields = { problems: Array.from({ length: 20 }, () => problem), more: 2980 };
    expect(log.lines).toEqual([{ level: 'error', message: 'config reload failed', fields }]);
  });

  it('logs the warnings of the new configuration with their positions', async () => {
    const routes = [{ matchers: ['cluster_name="prd"'], receivers: [] }, { receivers: [] }];
    const { reload, log } = reloading(async () => ok(config({ alerts: { routes } })));
    await reload();
    expect(log.lines).toMatchObject([
      {
        level: 'warn',
        message: 'config has warnings',
        fields: { problems: [{ file: 'test', line: 1, path: 'alerts.routes[0].matchers[0]' }] },
      },
      { level: 'info', message: 'config reloaded' },
    ]);
  });

  it('keeps the previous configuration if the new one is invalid, and logs the reason', async () => {
    const { reload, log, outcomes, applied, clock, kept } = reloading(async () => err([problem]));
    expect(await reload()).toEqual({ ok: false, error: [problem] });
    const since = clock.now().wall;
    const rejected = { ...config(), rejection: { since, problems: [problem], isGuardUnreadable: false } };
    expect(applied).toEqual([rejected]);
    expect(kept).toEqual([]);
    expect(outcomes).toEqual([false]);
    expect(log.lines).toMatchObject([{ level: 'error', fields: { problems: [problem] } }]);
  });

  it('rejects a file with another scope completely', async () => {
    const { reload, log, outcomes, applied } = reloading(async () => ok(config({ scope: 'cluster' })));
    const refused = { file: 'graphwarden.yml', path: 'scope', message: expect.stringContaining('restart it') };
    expect(await reload()).toMatchObject({ ok: false, error: [refused] });
    expect(applied).toMatchObject([{ scope: 'all', rejection: { problems: [refused] } }]);
    expect(outcomes).toEqual([false]);
    expect(log.lines).toMatchObject([{ level: 'error', fields: { problems: [refused] } }]);
  });

  it('logs changes that need a restart, at each reload until the restart', async () => {
    const next = config({
      listen: '127.0.0.1:9999',
      web_config_file: 'web.yml',
      state_dir: 'elsewhere',
      state: { retention: { size: '1GiB' } },
      log: { format: 'json' },
      telemetry: { traces: { sample: 0.5 } },
    });
    const { reload, log } = reloading(async () => ok(next));
    expect(await reload()).toEqual({ ok: true, value: expect.arrayContaining(['listen', 'telemetry']) });
    expect(log.lines[0]).toEqual({
      level: 'warn',
      message: 'setting change requires a restart',
      fields: { settings: ['listen', 'web_config_file', 'state_dir', 'state', 'log.format', 'telemetry'] },
    });
    await reload();
    expect(log.lines.filter(({ level }) => level === 'warn')).toHaveLength(2);
  });
});

describe('a rejected file', () => {
  const policies = [
    { name: 'first', when: { age: '> 10m' } },
    { name: 'second', when: { age: '> 20m' } },
  ];

  it('restricts the accepted configuration, not the one that an earlier rejected file left', async () => {
    const accepted = config({ guard: { policies } });
    const loaded = err([problem]);
    const reads = [
      { text: '', loaded: ok(accepted) },
      { text: 'guard: { policies: [] }', loaded },
      { text: JSON.stringify({ guard: { policies } }), loaded },
      { text: undefined, loaded },
    ];
    const applied: Config[] = [];
    const reload = createReload(config(), {
      load: async () => reads.shift() ?? { text: undefined, loaded },
      webProblems: async () => [],
      keep: async () => undefined,
      environment: {},
      clock: new FakeClock(),
      apply: async (next) => void applied.push(next),
      onReload: () => undefined,
      file: 'graphwarden.yml',
      isStateVolatile: false,
      log: recordingLogger(),
    });
    for (const _ of [1, 2, 3, 4]) await reload();
    expect(applied.map(({ guard }) => guard.policies.map(({ name }) => name))).toEqual([
      ['first', 'second'],
      [],
      ['first', 'second'],
      ['first', 'second'],
    ]);
    expect(applied.map(({ rejection }) => rejection?.isGuardUnreadable)).toEqual([undefined, false, false, true]);
  });

  it('is rejected since its first rejection, until a file is accepted', async () => {
    const reads: Loaded[] = [err([problem]), err([problem]), ok(config()), err([problem])];
    const { reload, applied, clock } = reloading(async () => reads.shift() ?? err([]));
    const start = clock.now().wall;
    for (const _ of [1, 2, 3, 4]) {
      await reload();
      await clock.advance(1000);
    }
    const since = applied.map(({ rejection }) => rejection && rejection.since - start);
    expect(since).toEqual([0, 0, undefined, 3000]);
  });
});

describe('a rejected web config file', () => {
  const wrong: ConfigProblem = { file: 'web.yml', line: 3, column: 1, path: 'basic_auth_users', message: 'wrong' };

  it('makes the reload fail, while a valid configuration is applied and kept', async () => {
    const next = config({ log: { level: 'debug' } });
    const web = [wrong];
    const { reload, applied, outcomes, kept, log, clock } = reloading(async () => ok(next), undefined, false, web);
    expect(await reload()).toEqual({ ok: false, error: [wrong] });
    const rejection = { since: clock.now().wall, problems: [wrong], isGuardUnreadable: false };
    expect(applied).toEqual([{ ...next, rejection }]);
    expect(kept).toEqual([['{}', next]]);
    expect(log.lines).toMatchObject([{ level: 'error', message: 'config reload failed' }]);
    web.pop();
    expect(await reload()).toEqual({ ok: true, value: [] });
    expect(applied.at(-1)).toEqual(next);
    expect(outcomes).toEqual([false, true]);
  });

  it('is reported together with the problems of a rejected configuration', async () => {
    const { reload, applied } = reloading(async () => err([problem]), undefined, false, [wrong]);
    expect(await reload()).toEqual({ ok: false, error: [problem, wrong] });
    expect(applied).toMatchObject([{ rejection: { problems: [problem, wrong] } }]);
  });
});

describe('a guard that would begin to enforce', () => {
  const policies = [{ name: 'runaway', mode: 'enforce', when: { age: '> 10m' } }];
  const abort_auth = { bearer_token_file: 'token' };
  const clusters = [{ name: 'prod', nodes: [{ name: 'm1', url: 'http://127.0.0.1:1' }], abort_auth }];

  it.each([
    ['enforces if its state is on disk', 'enforce', false, 'enforce'],
    ['only observes if its state is in memory, and logs that', 'enforce', true, 'observe'],
    ['logs nothing if it is configured to observe', 'observe', true, 'observe'],
  ])('%s', async (_, mode, isForgetful, taken) => {
    const next = config({ clusters, guard: { mode, policies } });
    const { reload, log, applied } = reloading(async () => ok(next), undefined, isForgetful);
    await reload();
    expect(applied).toEqual([{ ...next, guard: { ...next.guard, mode: taken } }]);
    const warnings = log.lines.filter(({ level }) => level === 'warn');
    const kept = { mode: 'observe', reason: 'restart_required' };
    expect(warnings.map(({ fields }) => fields)).toEqual(mode === taken ? [] : [{ settings: ['guard.mode'] }, kept]);
  });
});

describe('reloads at the same time', () => {
  it('never overlap, and waiting reloads are combined into one', async () => {
    const release = Promise.withResolvers<void>();
    let running = 0;
    let most = 0;
    const { reload, outcomes } = reloading(
      async () => ok(config()),
      async () => {
        running += 1;
        most = Math.max(most, running);
        await release.promise;
        running -= 1;
      },
    );
    const first = reload();
    await Promise.resolve();
    await Promise.resolve();
    const others = Array.from({ length: 100 }, () => reload());
    release.resolve();
    await Promise.all([first, ...others]);
    expect(most).toBe(1);
    expect(outcomes).toEqual([true, true]);
  });

  it('continue after one of them failed', async () => {
    let times = 0;
    const { reload, outcomes } = reloading(
      async () => ok(config()),
      async () => {
        times += 1;
        if (times === 1) throw new Error('bug');
      },
    );
    await expect(reload()).rejects.toThrow('bug');
    expect(await reload()).toEqual({ ok: true, value: [] });
    expect(outcomes).toEqual([true]);
  });
});
