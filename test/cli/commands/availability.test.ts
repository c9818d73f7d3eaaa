import { expect, it } from 'vitest';
import { availabilitySchema } from '../../../src/api/services.ts';
import { runCli } from '../../../src/cli/cli.ts';
import { commands } from '../../../src/cli/commands/all.ts';
import { availabilityTable } from '../../../src/cli/commands/availability.ts';
import { exampleOf } from '../../api/object-cases.ts';
import { livePorts } from '../../support/live-ports.ts';
import { pagesOf } from '../../support/page-of.ts';
import { serve } from '../../support/served-listener.ts';

const replica = availabilitySchema.parse(exampleOf(availabilitySchema));
const partition = { ...replica, kind: 'partition', replica: null, availability: 0.999996, outages: 0 } as const;
const unknown = { ...replica, replica: '3', availability: null, meanTimeToRecoverSeconds: null, observedSeconds: 0 };

it('availability is a table, the least available first, and never rounded up', () => {
  expect(availabilityTable([partition, unknown, replica])).toBe(
    [
      'INSTANCE  AVAILABLE     OUTAGES  RECOVERY  OBSERVED  KIND       CLUSTER',
      'GPE_1#2   99.988 %      1        5m        30d       replica    prod',
      'GPE_1     99.999 %      0        5m        30d       partition  prod',
      'GPE_1#3   not observed  1                  0s        replica    prod',
      '',
    ].join('\n'),
  );
  expect(availabilityTable([])).toBe('no services\n');
});

it('availability is requested with the filters', async () => {
  const requested: string[] = [];
  const { url } = await serve(pagesOf({ '/api/v1/availability': [replica] }, requested));
  const ports = livePorts();
  const args = ['availability', '--url', url, '--since', '7d', '--kind', 'replica', '--json'];
  expect(await runCli(args, commands, ports)).toBe(0);
  expect(JSON.parse(ports.stdout.text())).toEqual([replica]);
  expect(requested).toEqual(['/api/v1/availability?since=7d&kind=replica&limit=1000&offset=0']);
});
