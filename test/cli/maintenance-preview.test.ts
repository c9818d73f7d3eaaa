import { expect, it } from 'vitest';
import { maintenancePreview, maintenanceTable } from '../../src/cli/maintenance-preview.ts';

const window = { name: 'sun\nday', matchers: [], days: [0], from: 135, to: 165, zone: 'Europe/Berlin' };
const before = Date.parse('2026-03-22T12:00Z');

it('maintenance preview › shows the next five openings in UTC and as the clocks of the zone show them', () => {
  const [preview] = maintenancePreview([window], before);
  expect(preview).toMatchObject({ name: 'sun\nday', tz: 'Europe/Berlin' });
  expect(preview?.openings).toHaveLength(5);
  expect(preview?.openings.slice(0, 2)).toEqual([
    {
      startsAt: '2026-03-29T01:00:00.000Z',
      endsAt: '2026-03-29T01:45:00.000Z',
      localStart: 'Sun 2026-03-29 03:00 GMT+2',
      localEnd: 'Sun 2026-03-29 03:45 GMT+2',
    },
    {
      startsAt: '2026-04-05T00:15:00.000Z',
      endsAt: '2026-04-05T00:45:00.000Z',
      localStart: 'Sun 2026-04-05 02:15 GMT+2',
      localEnd: 'Sun 2026-04-05 02:45 GMT+2',
    },
  ]);
});

it('maintenance preview › is a table with a row for each opening', () => {
  const lines = maintenanceTable(maintenancePreview([window], before))
    .trim()
    .split('\n');
  expect(lines).toHaveLength(6);
  expect(lines[1]).toBe(
    'sun day      Europe/Berlin  Sun 2026-03-29 03:00 GMT+2  Sun 2026-03-29 03:45 GMT+2  2026-03-29 01:00 UTC  2026-03-29 01:45 UTC',
  );
});

it('maintenance preview › is empty without windows', () => {
  expect(maintenanceTable([])).toBe('');
});
