import { expect, it } from 'vitest';
import { checkSchema } from '../../../src/api/clusters.ts';
import { runCli } from '../../../src/cli/cli.ts';
import { commands } from '../../../src/cli/commands/all.ts';
import { checkTable } from '../../../src/cli/commands/checks.ts';
import { exampleOf } from '../../api/object-cases.ts';
import { livePorts } from '../../support/live-ports.ts';
import { pagesOf } from '../../support/page-of.ts';
import { serve } from '../../support/served-listener.ts';

const passed = checkSchema.parse(exampleOf(checkSchema));
const failed = { ...passed, passed: false, graph: '', partition: '', unsyncedEntries: null, lastRun: null };
const now = Date.parse('2026-01-25T04:04:00Z');

it('checks are a table, failed ones first', () => {
  expect(checkTable([passed, failed], now)).toBe(
    [
      'CHECK             RESULT  LAST RUN  WHERE              UNSYNCED ENTRIES  CLUSTER',
      'data_consistency  failed  unknown   all graphs                           prod',
      'data_consistency  passed  1h ago    fraud partition 1  0                 prod',
      '',
    ].join('\n'),
  );
  expect(checkTable([], now)).toBe('no results of checks\n');
});

it('checks are requested with the filters', async () => {
  const requested: string[] = [];
  const { url } = await serve(pagesOf({ '/api/v1/checks': [passed] }, requested));
  const ports = livePorts();
  expect(await runCli(['checks', '--url', url, '--graph', 'fraud', '--json'], commands, ports)).toBe(0);
  expect(JSON.parse(ports.stdout.text())).toEqual([passed]);
  expect(requested).toEqual(['/api/v1/checks?graph=fraud&limit=1000&offset=0']);
});
