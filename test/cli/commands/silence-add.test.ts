import { describe, expect, it } from 'vitest';
import { runCli } from '../../../src/cli/cli.ts';
import { commands } from '../../../src/cli/commands/all.ts';
import { livePorts } from '../../support/live-ports.ts';
import { matchersOf } from '../../support/matchers-of.ts';
import { fixedReply, serve } from '../../support/served-listener.ts';
import { runSilenceCommand, startSilenceApi, wall } from '../silence-api.ts';

const hour = 3_600_000;
const why = ['--author', 'alice', '--reason', 'new disks'];

describe('silence add', () => {
  it('silences the alerts that match all matchers', async () => {
    const { url, stored } = await startSilenceApi();
    const args = ['severity=warning', 'node=~m1|m2', 'graph="a=b"'];
    const { code, out, error } = await runSilenceCommand(url, 'add', ...args, '--for', '2h', ...why);
    expect([code, error]).toEqual([0, '']);
    expect(stored()).toMatchObject([
      {
        matchers: matchersOf('severity="warning"', 'node=~"m1|m2"', 'graph="a=b"'),
        startsAt: wall,
        endsAt: wall + 2 * hour,
        author: 'alice',
        reason: 'new disks',
      },
    ]);
    expect(out).toBe(`silence ${stored()[0]?.id} ends at 2026-01-31T14:00:00.000Z\nmatches no alert now\n`);
  });

  it('prints the current matches of the silence, with warnings', async () => {
    const alert = { key: 'k', episode: 1, rule: 'disk_filling', severity: 'warning', phase: 'firing' } as const;
    const texts = { labels: { node: 'm1' }, annotations: { summary: 'full' }, startsAt: wall };
    const { url } = await startSilenceApi(
      [],
      [
        { ...alert, ...texts },
        { ...alert, ...texts, key: 'l' },
      ],
    );
    const { out } = await runSilenceCommand(url, 'add', 'node=m1', 'severity!~page', '--for', '2h', ...why);
    const [created, warning, count, header, ...rows] = out.trimEnd().split('\n');
    expect(created).toMatch(/^silence .* ends at 2026-01-31T14:00:00.000Z$/);
    expect([warning, count]).toEqual(["warning: 'severity!~page' excludes no severity", 'matches 2 alerts now:']);
    expect(header).toMatch(/^SEVERITY +SINCE +STATE/);
    expect(rows).toHaveLength(2);
  });

  it('creates no silence with --dry-run', async () => {
    const { url, stored } = await startSilenceApi();
    const { code, out } = await runSilenceCommand(url, 'add', 'node=m1', '--for', '2h', ...why, '--dry-run');
    expect([code, out, stored()]).toEqual([0, 'matches no alert now\n', []]);
    const { out: json } = await runSilenceCommand(url, 'add', 'node=m1', '--for', '2h', ...why, '--dry-run', '--json');
    expect(JSON.parse(json)).toEqual({ matchedAlerts: 0, alerts: [], warnings: [] });
  });

  it('accepts a start and an end', async () => {
    const { url, stored } = await startSilenceApi();
    const when = ['--from', '2026-01-31T13:00:00Z', '--until', '2026-01-31T15:00:00+01:00'];
    const { out } = await runSilenceCommand(url, 'add', 'node=m1', ...when, ...why, '--json');
    expect(stored()).toMatchObject([{ startsAt: wall + hour, endsAt: wall + 2 * hour }]);
    expect(JSON.parse(out)).toMatchObject({ id: stored()[0]?.id, endsAt: '2026-01-31T14:00:00.000Z' });
  });

  it('uses the user of the request as default author', async () => {
    const { url, stored } = await startSilenceApi();
    const environment = { GRAPHWARDEN_USER: 'bob', GRAPHWARDEN_PASSWORD: 'x' };
    const ports = { ...livePorts(), environment };
    const args = ['silence', 'add', 'node=m1', '--for', '1h', '--reason', 'x', '--url', url];
    expect(await runCli(args, commands, ports)).toBe(0);
    expect(stored()[0]?.author).toBe('bob');
  });

  it.each([
    [['node=m1', ...why], 'specify either --for or --until'],
    [['node=m1', '--for', '1h', '--until', '2026-01-31T15:00:00Z', ...why], 'specify either --for or --until'],
    [['node=m1', '--for', 'ever', ...why], '--for must be a duration such as 2h'],
    [['node=m1', '--for', '1h', '--reason', 'x'], 'required option --author NAME not specified'],
    [['node=m1', '--for', '1h', '--author', 'x'], 'required option --reason TEXT not specified'],
    [['--for', '1h', ...why], "missing required argument 'MATCHER'"],
    [['node', '--for', '1h', ...why], "'node' is not a matcher"],
    [['=m1', '--for', '1h', ...why], "'=m1' is not a matcher"],
  ])('rejects %j as a usage error: %s', async (args, message) => {
    const { url, stored } = await startSilenceApi();
    const { code, error } = await runSilenceCommand(url, 'add', ...args);
    expect(code).toBe(2);
    expect(error).toContain(message);
    expect(stored()).toEqual([]);
  });

  it.each([
    [['severity=page', '--for', '1h'], 'is not a severity'],
    [['node=m1', '--for', '2y'], '--for'],
    [['node=m1', '--for', '400d'], 'more than a year'],
    [['node=m1', '--until', 'tomorrow'], '--until is not a timestamp such as'],
    [['nod=m1', '--for', '1h'], "'nod=m1' unknown label `nod` (did you mean `node`?)"],
  ])('prints the error of the daemon for %j: %s', async (args, message) => {
    const { url, stored } = await startSilenceApi();
    const { code, error } = await runSilenceCommand(url, 'add', ...args, ...why);
    expect(code).not.toBe(0);
    expect(error).toContain(message);
    expect(stored()).toEqual([]);
  });

  it('fails on an unexpected response', async () => {
    const { url } = await serve(fixedReply({ body: '{}' }));
    const { code, error } = await runSilenceCommand(url, 'add', 'node=m1', '--for', '1h', ...why);
    expect([code, error]).toEqual([
      1,
      'graphwarden: unexpected response of the daemon at id: Invalid input: expected string, received undefined; ' +
        'check that the command and the daemon have the same version\n',
    ]);
  });
});
