import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { catalogue } from '../fixtures/catalogue.ts';
import type { Fixture } from '../fixtures/fixture.ts';
import { isSilent, shownPage } from '../fixtures/shown.ts';
import { eventually } from '../support/child.ts';
import { FakeClock } from '../support/clock.ts';
import { readExposition } from '../support/exposition.ts';
import { type ExpositionFamily, type ExpositionSample, seriesKey } from '../support/exposition-family.ts';
import { idleRoutes } from '../support/idle-server.ts';
import { type Page, startInProcessDaemon } from '../support/in-process-daemon.ts';
import { type StaticReply, type StaticRoutes, type StaticServer, startStaticServer } from '../support/static-server.ts';
import { isTrackerSeries } from '../support/tracker-series.ts';

/** Twenty seconds after the query of the process lists began. */
const now = 1_790_000_020_723;
const folder = join(import.meta.dirname, '../fixtures');
const collectors: readonly (readonly [RegExp, string])[] = [
  [/ping$|echo$|version$/, 'health'],
  [/informant\/metrics$/, 'metrics'],
  [/informant\/metrics\/get/, 'categories'],
  [/current-service-status$/, 'services'],
  [/statistics\//, 'statistics'],
  [/showprocesslist|schema\/graphs$|endpoints$/, 'queries'],
  [/showdelayedlistall$/, 'delayed_queries'],
  [/queuestatus$/, 'workload_queues'],
  [/showlicenseinfo$/, 'license'],
  [/_check$/, 'consistency'],
];
const refused: StaticReply = { status: 403, body: recorded('faults/no-token.json') };

/** What the server has to refuse before the client falls back to the recorded call. */
const refusals: Readonly<Record<string, StaticRoutes>> = {
  'GET /restpp/showprocesslist/fraud': { 'GET /restpp/showprocesslistall': refused },
  'GET /restpp/endpoints': { 'GET /gsql/v1/schema/graphs': refused },
};

describe('a daemon with each recorded reply of a server', () => {
  for (const fixture of catalogue) {
    const { file, status = 200, contentType = 'no content type', expected } = fixture;
    it(`${file} as ${status} with ${contentType}`, async () => {
      const { page, server } = await pageOver(fixture);
      expect(server.seen.map(({ method, url }) => `${method} ${url.split('?', 1)[0]}`)).toContain(fixture.request);
      expect(ownSamples(page.families).map(({ labels }) => labels.cluster_name)).not.toContain(undefined);
      if ('facts' in expected) expectShown(page, fixture);
      else expectFailure(page, fixture, expected.failure.reason);
    });
  }

  it('shows default values for endpoints that have no recording', async () => {
    const [ping] = catalogue;
    if (ping === undefined) throw new Error('no recorded answer');
    const { page } = await pageOver(ping);
    expect(seriesOf(page.families)).toEqual(written('quiet.prom'));
  });
});

/** The page of a daemon after its first round over a server that knows this one answer, and is quiet otherwise. */
async function pageOver(fixture: Fixture): Promise<{ readonly page: Page; readonly server: StaticServer }> {
  const release = fixture.file.startsWith('3.9/') ? '3.9' : '4.1';
  const server = await startStaticServer({
    ...idleRoutes(release),
    ...refusals[fixture.request],
    ...routesOf(fixture),
  });
  const due: (() => void)[] = [];
  const cluster = { name: 'c', nodes: [{ name: 'm1', url: server.url }] };
  const daemon = await startInProcessDaemon(
    {
      clusters: [release === '3.9' ? { ...cluster, server_version: release } : cluster],
      collectors: { consistency: { enabled: true } },
    },
    {
      clock: new FakeClock(now),
      random: { next: () => 0 },
      cron: (_, run) => {
        due.push(run);
        return { stop: () => undefined, next: () => undefined };
      },
    },
  );
  if (collectorOf(fixture) === 'consistency') {
    for (const run of due) run();
    await eventually('the checks ran', async () => (await daemon.page()).text.includes('graphdb_check_'));
  }
  const page = await daemon.page();
  await daemon.stop();
  return { page, server };
}

function routesOf({ file, request, status = 200, contentType }: Fixture): StaticRoutes {
  const headers = contentType === undefined ? {} : { 'content-type': contentType };
  const reply: StaticReply = { status, headers, body: recorded(file) };
  // Without the list of all graphs, the list of each graph is requested.
  const fallback = request.endsWith('showprocesslistall') ? { 'GET /restpp/showprocesslist/fraud': reply } : {};
  return { [request]: reply, ...fallback };
}

function expectShown(page: Page, fixture: Fixture): void {
  const { file } = fixture;
  const expected = shownPage(file) === undefined && isSilent(file) ? new Map() : written(file);
  const quiet = [...written('quiet.prom')].filter(([key]) => !namesOf(expected).has(nameOf(key)));
  expect(seriesOf(page.families)).toEqual(new Map([...quiet, ...expected]));
  expect(page.value('graphwarden_collector_success', { collector: collectorOf(fixture) })).toBe(1);
}

/** Families of `quiet.prom` that a collector has only if its poll succeeds. */
const ownFamilies: ReadonlyMap<string, RegExp> = new Map([
  ['queries', /^graphdb_quer(ies_running|y_oldest)/],
  ['statistics', /^graphdb_endpoint_uncounted_graphs$/],
]);

/** Checks that the poll failed once for the reason, and that its series are absent. */
function expectFailure(page: Page, fixture: Fixture, reason: string | undefined): void {
  const collector = collectorOf(fixture);
  const failures = page.families.get('graphwarden_collector_failures_total')?.samples ?? [];
  const counted = failures.filter(({ labels, value }) => labels.collector === collector && value > 0);
  expect(counted.map(({ labels, value }) => [labels.reason, value])).toEqual([[reason, 1]]);
  expect(page.value('graphwarden_collector_success', { collector })).toBe(0);
  const own = ownFamilies.get(collector);
  const quiet = [...written('quiet.prom')].filter(([key]) => own?.test(nameOf(key)) !== true);
  expect(seriesOf(page.families)).toEqual(new Map(quiet));
}

/** Returns the expected page of a file; fails if there is none. */
function written(file: string): Map<string, number> {
  const text = shownPage(file);
  if (text === undefined) throw new Error(`no expected /metrics page for ${file}`);
  return seriesOf(readExposition(text, 'text'));
}

/** The series about the server with their values, to as many digits as a division leaves exact. */
function seriesOf(families: ReadonlyMap<string, ExpositionFamily>): Map<string, number> {
  return new Map(
    ownSamples(families).map(({ name, labels: { cluster_name: _cluster, ...labels }, value }): [string, number] => [
      seriesKey(name, labels),
      Number(value.toPrecision(14)),
    ]),
  );
}

function ownSamples(families: ReadonlyMap<string, ExpositionFamily>): readonly ExpositionSample[] {
  const samples = [...families.values()].flatMap((family) => family.samples);
  return samples.filter((one) => !/^(?:graphwarden|process|nodejs)_/.test(one.name) && !isTrackerSeries(one));
}

function namesOf(series: ReadonlyMap<string, number>): ReadonlySet<string> {
  return new Set([...series.keys()].map(nameOf));
}

function nameOf(key: string): string {
  const [name]: readonly unknown[] = JSON.parse(key);
  return String(name);
}

function collectorOf({ request }: Fixture): string {
  const found = collectors.find(([path]) => path.test(request))?.[1];
  if (found === undefined) throw new Error(`no collector requests ${request}`);
  return found;
}

function recorded(file: string): Uint8Array {
  return readFileSync(join(folder, file));
}
