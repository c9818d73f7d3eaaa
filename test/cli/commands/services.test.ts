import { expect, it } from 'vitest';
import { type ServiceReport, serviceSchema } from '../../../src/api/services.ts';
import { runCli } from '../../../src/cli/cli.ts';
import { commands } from '../../../src/cli/commands/all.ts';
import { serviceTable } from '../../../src/cli/commands/services.ts';
import { exampleOf } from '../../api/object-cases.ts';
import { livePorts } from '../../support/live-ports.ts';
import { pagesOf } from '../../support/page-of.ts';
import { serve } from '../../support/served-listener.ts';

const down: ServiceReport = serviceSchema.parse(exampleOf(serviceSchema));
const online = { ...down, replica: '1', status: 'Online', process: 'Running' };
const now = Date.parse('2026-01-31T12:01:05Z');

it('services are a table, those that are not online first', () => {
  expect(serviceTable([online, down], now)).toBe(
    [
      'INSTANCE  STATUS  FOR  CONFIRMED  NOTE  CLUSTER  PROCESS',
      'GPE_1#2   Down    1m   Online           prod     Stopped',
      'GPE_1#1   Online  1m                    prod     Running',
      '',
    ].join('\n'),
  );
  expect(serviceTable([{ ...online, flapping: true, disputed: true }], now)).toContain(
    '  flapping, sources disagree  ',
  );
  expect(serviceTable([], now)).toBe('no services\n');
});

it('services are requested with the filters', async () => {
  const requested: string[] = [];
  const { url } = await serve(pagesOf({ '/api/v1/services': [down] }, requested));
  const ports = livePorts();
  const code = await runCli(
    ['services', '--url', url, '--service', 'GPE', '--status', 'Down', '--json'],
    commands,
    ports,
  );
  expect(code).toBe(0);
  expect(JSON.parse(ports.stdout.text())).toEqual([down]);
  expect(requested).toEqual(['/api/v1/services?service=GPE&status=Down&limit=1000&offset=0']);
});
