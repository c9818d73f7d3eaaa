import { closeSync, fstatSync, openSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { err, ok } from '../../src/kernel/result.ts';
import { findSupervisor, isJournalStream } from '../../src/runtime/systemd.ts';

const socket = { NOTIFY_SOCKET: '/run/systemd/notify' };

describe('the supervisor', () => {
  it.each([{}, { NOTIFY_SOCKET: '' }])('is absent if systemd expects no reports: %j', (environment) => {
    expect(findSupervisor(environment)).toBeUndefined();
  });

  it('gets each report by systemd-notify', async () => {
    const calls: unknown[] = [];
    const manager = findSupervisor(socket, async (...call) => void calls.push(call));
    expect(await manager?.notify({ state: 'ready', status: 'listening' })).toEqual(ok(undefined));
    await manager?.notify({ state: 'alive' });
    await manager?.notify({ state: 'stopping' });
    await manager?.notify({ status: 'a=b\nREADY=1' });
    expect(calls).toEqual([
      ['systemd-notify', ['READY=1', 'STATUS=listening']],
      ['systemd-notify', ['WATCHDOG=1']],
      ['systemd-notify', ['STOPPING=1']],
      ['systemd-notify', ['STATUS=a=b READY=1']],
    ]);
  });

  it('returns an error if systemd-notify fails', async () => {
    const manager = findSupervisor(socket, () => Promise.reject(new Error('not found')));
    const message = 'cannot run systemd-notify, or systemd rejected its message';
    expect(await manager?.notify({ state: 'ready' })).toEqual(err(message));
  });

  it.each([
    [{ WATCHDOG_USEC: '60000000' }, 60_000],
    [{ WATCHDOG_USEC: '60000000', WATCHDOG_PID: String(process.pid) }, 60_000],
    [{ WATCHDOG_USEC: '60000000', WATCHDOG_PID: '1' }, undefined],
    [{ WATCHDOG_USEC: '' }, undefined],
    [{ WATCHDOG_USEC: '0' }, undefined],
    [{ WATCHDOG_USEC: '1e9' }, undefined],
    [{}, undefined],
  ])('with %j has the watchdog timeout %s', (environment, timeout) => {
    expect(findSupervisor({ ...socket, ...environment })?.watchdogTimeout).toBe(timeout);
  });
});

describe('the stream of the journal', () => {
  it('is the one that JOURNAL_STREAM names', () => {
    const descriptor = openSync('package.json', 'r');
    onTestFinished(() => closeSync(descriptor));
    const { dev, ino } = fstatSync(descriptor, { bigint: true });
    expect(isJournalStream({ JOURNAL_STREAM: `${dev}:${ino}` }, descriptor)).toBe(true);
    expect(isJournalStream({ JOURNAL_STREAM: `${dev}:${ino + 1n}` }, descriptor)).toBe(false);
    expect(isJournalStream({}, descriptor)).toBe(false);
  });

  it('is undefined if the descriptor is closed', () => {
    expect(isJournalStream({ JOURNAL_STREAM: '1:2' }, 1_000_000)).toBe(false);
  });
});
