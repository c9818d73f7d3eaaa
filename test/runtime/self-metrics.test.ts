import { spawnSync } from 'node:child_process';
import { afterEach, describe, expect, it } from 'vitest';
import { MemoryBudget } from '../../src/runtime/reply-memory.ts';
import { createSelfMetrics, type SelfMetrics } from '../../src/runtime/self-metrics.ts';
import { neverAborted } from '../support/client.ts';
import { FakeClock } from '../support/clock.ts';
import { readExposition } from '../support/exposition.ts';
import { findTool } from '../support/tools.ts';

const promtool = findTool('promtool');
const open: SelfMetrics[] = [];

afterEach(() => {
  for (const metrics of open.splice(0)) metrics.stop();
});

function selfMetrics(clock = new FakeClock()): SelfMetrics {
  const metrics = createSelfMetrics({ version: '1.2.3', commit: 'abc' }, clock);
  open.push(metrics);
  return metrics;
}

describe('the metrics of the process', () => {
  it.each(['text', 'openmetrics'] as const)('are valid %s, and name the build', async (format) => {
    const tail = await selfMetrics().tail(format);
    const families = readExposition(format === 'text' ? tail : `${tail}# EOF\n`, format);
    expect(families.get('graphwarden_build_info')?.samples).toEqual([
      {
        name: 'graphwarden_build_info',
        labels: { version: '1.2.3', commit: 'abc', nodejs: process.versions.node },
        value: 1,
      },
    ]);
    const processor = families.get(format === 'text' ? 'process_cpu_seconds_total' : 'process_cpu_seconds');
    expect(processor?.type).toBe('counter');
    expect(processor?.samples[0]?.value).toBeGreaterThan(0);
    expect(families.get('process_resident_memory_bytes')?.samples[0]?.value).toBeGreaterThan(1e7);
  });

  it('have no gauge that ends in _total', async () => {
    const families = readExposition(await selfMetrics().tail('text'), 'text');
    expect([...families.values()].filter(({ name, type }) => name.endsWith('_total') && type !== 'counter')).toEqual(
      [],
    );
  });

  it.skipIf(promtool === undefined)('have no findings of promtool', async () => {
    const { status, stdout, stderr } = spawnSync(promtool ?? '', ['check', 'metrics'], {
      input: await selfMetrics().tail('text'),
      encoding: 'utf8',
    });
    expect(stdout + stderr).toBe('');
    expect(status).toBe(0);
  });

  it('have the requested format, in any order of requests', async () => {
    const metrics = selfMetrics();
    await metrics.tail('openmetrics');
    expect(await metrics.tail('text')).toContain('# TYPE process_cpu_seconds_total counter');
    expect(await metrics.tail('openmetrics')).toContain('# TYPE process_cpu_seconds counter');
  });

  it('report the result of the last reload and the time of the last successful one', async () => {
    const metrics = selfMetrics();
    const reported = async () => {
      const families = readExposition(await metrics.tail('text'), 'text');
      const prefix = 'graphwarden_config_last_reload_success';
      return [`${prefix}ful`, `${prefix}_timestamp_seconds`].map((name) => families.get(name)?.samples[0]?.value);
    };
    metrics.reloaded(true, 1790000000);
    expect(await reported()).toEqual([1, 1790000000]);
    metrics.reloaded(false, 1790000060);
    expect(await reported()).toEqual([0, 1790000000]);
    metrics.reloaded(true, 1790000120);
    expect(await reported()).toEqual([1, 1790000120]);
  });

  it('are collected once for concurrent scrapes and again for a later one', async () => {
    const clock = new FakeClock();
    const metrics = selfMetrics(clock);
    const first = await metrics.tail('text');
    await clock.advance(99);
    expect(await metrics.tail('text')).toBe(first);
    await clock.advance(1);
    expect(await metrics.tail('text')).not.toBe(first);
  });

  it('report the longest gap of the event loop', async () => {
    const families = readExposition(await selfMetrics().tail('text'), 'text');
    expect(families.get('graphwarden_event_loop_max_lag_seconds')?.samples[0]?.value).toBe(0);
  });

  it('report the memory for long replies', async () => {
    const clock = new FakeClock();
    const budget = new MemoryBudget(1600);
    const metrics = createSelfMetrics({ version: '', commit: '' }, clock, budget);
    open.push(metrics);
    const reported = async () => {
      const families = readExposition(await metrics.tail('text'), 'text');
      const names = ['limit_bytes', 'reserved_bytes', 'waits_total'];
      return names.map((name) => families.get(`graphwarden_reply_memory_${name}`)?.samples[0]?.value);
    };
    expect(await reported()).toEqual([300, 0, 0]);
    const claim = { owner: 'm1', bytes: 40, isForGuard: false };
    await budget.reserve(claim, neverAborted());
    void budget.reserve(claim, neverAborted());
    await clock.advance(1000);
    expect(await reported()).toEqual([300, 40, 1]);
    await clock.advance(1000);
    expect(await reported()).toEqual([300, 40, 1]);
  });

  it('are kept apart in two instances', async () => {
    const [one, other] = [selfMetrics(), selfMetrics()];
    one.reloaded(true, 5);
    expect(await other.tail('text')).toContain('\ngraphwarden_config_last_reload_successful 0\n');
  });

  it('are listed for the catalogue as they appear on the page', async () => {
    const metrics = selfMetrics();
    const families = readExposition(await metrics.tail('text'), 'text');
    expect(metrics.metrics.map(({ name, type }) => `${name} ${type}`).toSorted()).toEqual(
      [...families.values()].map(({ name, type }) => `${name} ${type}`).toSorted(),
    );
    const build = metrics.metrics.find(({ name }) => name === 'graphwarden_build_info');
    expect(build?.labels).toEqual(['version', 'commit', 'nodejs']);
  });

  it('leave no timer behind', async () => {
    const clock = new FakeClock();
    const metrics = createSelfMetrics({ version: '', commit: '' }, clock);
    await clock.settle();
    expect(clock.sleeping).toBe(1);
    metrics.stop();
    await clock.settle();
    expect(clock.sleeping).toBe(0);
  });
});
