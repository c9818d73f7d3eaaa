import { describe, expect, it } from 'vitest';
import { ServiceStateReporter } from '../../src/cli/service-state.ts';
import { err, ok } from '../../src/kernel/result.ts';
import type { SupervisorReport } from '../../src/kernel/system.ts';
import { FakeClock } from '../support/clock.ts';
import { recordingLogger } from '../support/logger.ts';

function setUp(watchdogTimeout?: number) {
  const clock = new FakeClock();
  const log = recordingLogger();
  const reports: SupervisorReport[] = [];
  const state = { isReachable: true, isHealthy: true };
  const supervisor = {
    watchdogTimeout,
    notify: async (report: SupervisorReport) => {
      reports.push(report);
      return state.isReachable ? ok(undefined) : err('cannot run systemd-notify');
    },
  };
  const stop = new AbortController();
  const reporter = new ServiceStateReporter({ supervisor, clock, log });
  const ready = reporter.ready('http://127.0.0.1:9916', () => state.isHealthy, stop.signal);
  return { clock, log, reports, state, stop, reporter, ready };
}

const listening = { state: 'ready', status: 'listening on http://127.0.0.1:9916' };
const alive = { state: 'alive' };

describe('the reports to a supervisor', () => {
  it('contain the address, and the stop', async () => {
    const { reports, reporter, ready } = setUp();
    await ready;
    await reporter.stopping();
    expect(reports).toEqual([listening, { state: 'stopping', status: 'stopping' }]);
  });

  it('feed a watchdog three times per timeout while polls make progress, until the daemon stops', async () => {
    const { clock, reports, stop, ready } = setUp(30_000);
    await clock.advance(30_000);
    expect(reports).toEqual([listening, alive, alive, alive]);
    stop.abort();
    await ready;
    await clock.advance(30_000);
    expect(reports).toHaveLength(4);
  });

  it('are omitted while polls are overdue, so that the watchdog restarts the daemon', async () => {
    const { clock, reports, state } = setUp(30_000);
    await clock.advance(10_000);
    state.isHealthy = false;
    await clock.advance(60_000);
    expect(reports).toEqual([listening, alive]);
  });

  it('are logged once if they fail, and again after one that succeeded', async () => {
    const { clock, log, state } = setUp(3000);
    state.isReachable = false;
    await clock.advance(3000);
    const warning = {
      level: 'warn',
      message: 'systemd not notified',
      fields: { error: 'cannot run systemd-notify' },
    };
    expect(log.lines).toEqual([warning]);
    state.isReachable = true;
    await clock.advance(1000);
    state.isReachable = false;
    await clock.advance(1000);
    expect(log.lines).toEqual([warning, warning]);
  });

  it('are not sent without a supervisor', async () => {
    const log = recordingLogger();
    const reporter = new ServiceStateReporter({ clock: new FakeClock(), log });
    await reporter.ready('http://127.0.0.1:9916', () => true, new AbortController().signal);
    await reporter.stopping();
    expect(log.lines).toEqual([]);
  });
});
