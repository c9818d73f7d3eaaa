import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** A file on the path of a process list: what it exports, and the text with which it passes the list on. */
interface Stage {
  readonly file: string;
  readonly exports: string;
  readonly passesOn: string;
}

/**
 * The files that a process list passes through, from the parsed reply to the decisions. A wiring file that only
 * connects two of them when the daemon starts is not one of them.
 */
const path: readonly Stage[] = [
  {
    file: 'src/graphdb/endpoints/process-lists.ts',
    exports: 'function createProcessListCall(',
    passesOn: '({ queries: listed, raw: { body, address, connection, started, received } })',
  },
  {
    file: 'src/collect/queries.ts',
    exports: 'const queries = queriesCollector',
    passesOn: 'processList: ({ raw }) => raw',
  },
  { file: 'src/collect/poll-runner.ts', exports: 'class PollRunner', passesOn: 'return { result, source: db.node' },
  { file: 'src/app/poll/cluster-poller.ts', exports: 'class ClusterPoller', passesOn: 'pipeline.accept(' },
  { file: 'src/app/poll/pipeline.ts', exports: 'class Pipeline', passesOn: 'listener.onPollResult(' },
  {
    file: 'src/app/guard/guard-supervisor.ts',
    exports: 'class GuardSupervisor',
    passesOn: '?.receiveList(toListInput(',
  },
  { file: 'src/app/guard/cluster-guard.ts', exports: 'class ClusterGuard', passesOn: 'this.#guard.step(' },
];

/** How each file receives the list from the one before; the last one is the entry of the decisions. */
const receives: readonly (readonly [file: string, text: string])[] = [
  ['src/collect/queries.ts', 'await db.processListAll(signal)'],
  ['src/collect/poll-runner.ts', 'await collector.poll(db, signal)'],
  ['src/app/poll/cluster-poller.ts', 'runner.poll('],
  ['src/app/poll/pipeline.ts', 'async accept('],
  ['src/app/guard/guard-supervisor.ts', '  onPollResult('],
  ['src/app/guard/cluster-guard.ts', '  receiveList('],
  ['src/guard/decision/create-guard.ts', 'step: (state, input, now) =>'],
];

const textOf = (file: string): string => readFileSync(file, 'utf8');

describe('the path of a process list to the guard', () => {
  it('has at most seven files before the decisions, each of them once', () => {
    expect(path.length).toBeLessThanOrEqual(7);
    expect(new Set(path.map(({ file }) => file)).size).toBe(path.length);
  });

  it.each(path)('passes the list on in $file', ({ file, exports, passesOn }) => {
    expect(textOf(file)).toContain(`export ${exports}`);
    expect(textOf(file).split(passesOn)).toHaveLength(2);
  });

  it.each(receives)('receives the list in %s', (file, text) => {
    expect(textOf(file)).toContain(text);
  });

  it('leads from each file to the next', () => {
    expect(receives.map(([file]) => file)).toEqual([
      ...path.slice(1).map(({ file }) => file),
      'src/guard/decision/create-guard.ts',
    ]);
    const wiring = textOf('src/app/incident-wiring.ts');
    expect(wiring).toMatch(/pipeline\.subscribe\([^;]*\bguard\b[^;]*\);/);
    expect(textOf('src/graphdb/connect.ts')).toMatch(/createProcessListCall\([\s\S]*processListAll: listAll/);
  });

  it('is the only path: the client has no listener for process lists', () => {
    for (const file of ['src/graphdb/connect.ts', 'src/graphdb/caller.ts', 'src/app/assemble.ts']) {
      expect(textOf(file)).not.toMatch(/onProcessList|RawProcessList/);
    }
  });
});
