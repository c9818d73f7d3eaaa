import { describe, expect, it } from 'vitest';
import { FileWatcher } from '../../src/kernel/file-watcher.ts';
import { FakeClock } from '../support/clock.ts';

const intervals = { watched: 5000, unwatched: 500 };

/** A folder whose changes a test reports, and a caller that waits for them. */
function setUp(names?: readonly string[]) {
  const clock = new FakeClock();
  const stop = new AbortController();
  const folder = { isWatchable: true, opened: 0, closed: 0, report: (_name?: string): void => undefined };
  const files = {
    watch(path: string, changed: (name: string | undefined) => void) {
      expect(path).toBe('folder/file');
      if (!folder.isWatchable) return undefined;
      folder.opened += 1;
      folder.report = changed;
      return () => {
        folder.closed += 1;
      };
    },
  };
  const watcher = new FileWatcher(files, 'folder/file', names);
  const changes: number[] = [];
  async function run(): Promise<void> {
    while (!stop.signal.aborted) {
      await watcher.change(clock, intervals, stop.signal);
      if (!stop.signal.aborted) changes.push(clock.now().mono);
    }
  }
  const ended = run();
  return { clock, folder, changes, stop, ended };
}

describe('a file watcher', () => {
  it('reports a change at once, and the file at the slow interval without one', async () => {
    const { clock, folder, changes, stop, ended } = setUp();
    await clock.advance(100);
    folder.report('file');
    folder.report('..data');
    await clock.advance(5000);
    expect(changes).toEqual([0, 100, 5100]);
    stop.abort();
    await ended;
    expect([folder.opened, folder.closed, clock.sleeping]).toEqual([1, 1, 0]);
  });

  it('ignores other files of the folder if names are given', async () => {
    const { clock, folder, changes, stop, ended } = setUp(['file']);
    await clock.advance(100);
    folder.report('database-wal');
    await clock.advance(100);
    folder.report('file');
    await clock.advance(100);
    expect(changes).toEqual([0, 200]);
    stop.abort();
    await ended;
  });

  it('reports the file at the short interval while the folder cannot be watched, and retries the watch', async () => {
    const { clock, folder, changes, stop, ended } = setUp();
    await clock.advance(0);
    folder.isWatchable = false;
    folder.report();
    await clock.advance(1000);
    expect(changes).toEqual([0, 0, 500, 1000]);
    folder.isWatchable = true;
    await clock.advance(500);
    expect(changes).toEqual([0, 0, 500, 1000, 1500, 1500]);
    expect([folder.opened, folder.closed]).toEqual([2, 1]);
    stop.abort();
    await ended;
  });
});
