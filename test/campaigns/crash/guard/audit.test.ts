import { expect, it } from 'vitest';
import { readAudit } from '../../../../campaigns/crash/guard/audit.ts';
import { migrations } from '../../../../src/runtime/store/migrations.ts';
import { openStateFile } from '../../../../src/runtime/store/state-file.ts';
import { temporaryStateDir } from '../../../runtime/store/temporary-folder.ts';

const intent = {
  cluster: 'c',
  node: 'm1',
  start_time: 's',
  graph: 'fraud',
  query: 'runaway_walk',
  policy: 'runaway',
  policy_hash: '',
  mode: 'enforce',
  evidence: '{}',
  notify: '[]',
};

it('audit of a crash run › returns intents with their outcomes, oldest first, after the daemon stopped', () => {
  const folder = temporaryStateDir();
  const file = openStateFile(folder, { steps: migrations });
  if (!file.ok) throw new Error(file.error.message);
  const rows = [
    { table: 'guard_intents', put: { ...intent, key: 'k2', id: 'b', at: 20 } },
    { table: 'guard_intents', put: { ...intent, key: 'k1', id: 'a', at: 10 } },
    { table: 'guard_outcomes', put: { cluster: 'c', key: 'k1', at: 15, outcome: 'withdrawn' } },
  ];
  expect(file.value.database.commit([rows]).every(({ ok }) => ok)).toBe(true);
  file.value.database.close();
  expect(readAudit(folder)).toEqual([
    { node: 'm1', id: 'a', policy: 'runaway', at: 10, outcome: 'withdrawn', ended_at: 15 },
    { node: 'm1', id: 'b', policy: 'runaway', at: 20, outcome: null, ended_at: null },
  ]);
});

it('audit of a crash run › throws if the audit is not readable', () => {
  expect(() => readAudit(temporaryStateDir())).toThrow('cannot read');
});
