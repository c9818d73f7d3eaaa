import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { FaultName } from '../../src/simulator/faults/fault.ts';
import { maliciousNames } from '../../src/simulator/faults/page.ts';
import { readExposition } from '../support/exposition.ts';
import type { ExpositionSample } from '../support/exposition-family.ts';
import { send } from '../support/http.ts';
import type { Page } from '../support/in-process-daemon.ts';
import type { LogLine } from '../support/logger.ts';
import { watchingCollectors as collectors } from '../support/watching-collectors.ts';
import { type ExpectedSeries, expectedSeries } from './expected-series.ts';
import { faultCaseOf } from './fault-cells.ts';
import { FaultEnvironment } from './fault-environment.ts';
import { toleratedFaults } from './fault-outcomes.ts';

/** All that need no room: each strikes every answer of a cluster of its own. */
const light = toleratedFaults.filter((fault) => fault !== 'entries_100k');
const skew = 3600;
const mebibyte = 1_048_576;

let setup: FaultEnvironment;
let before: Page;
let page: Page;

beforeAll(async () => {
  const cells = light.map((fault) => ({ ...faultCaseOf(fault, { path: /./, affectedCollectors: [] }), fault }));
  setup = await FaultEnvironment.start(cells);
  before = await setup.daemon.page();
  for (const { fault, cluster } of cells) await setup.simulator(cluster).control.injectFault(fault);
  // The second of two equal answers confirms what is new in the first.
  await setup.runPollCycle();
  await setup.runPollCycle();
  page = await setup.daemon.page();
});

afterAll(() => setup.stop());

/** The samples of a family in one cluster. */
function shown(fault: FaultName, name: string, from = page): readonly ExpositionSample[] {
  const samples = from.families.get(name)?.samples ?? [];
  return samples.filter(({ labels }) => labels.cluster_name === fault);
}

function valuesOf(fault: FaultName, name: string, from = page): readonly number[] {
  return shown(fault, name, from).map(({ value }) => value);
}

/** The series that are not on the page, by reason. */
function dropped(fault: FaultName): Readonly<Record<string, number>> {
  const samples = shown(fault, 'graphwarden_series_dropped');
  return Object.fromEntries(samples.map(({ labels: { reason = '' }, value }) => [reason, value]));
}

/** Whether the page shows, of the named families, exactly what is true. */
function expectTruth(fault: FaultName, names: RegExp): void {
  const truth = expectedSeries(setup.simulator(fault).truth()).filter(({ name }) => names.test(name));
  expect(truth.length).toBeGreaterThan(0);
  const found = [...new Set(truth.map(({ name }) => name))].flatMap((name) => shown(fault, name));
  const wanted = truth.map((one) => ({ ...one, labels: { ...one.labels, cluster_name: fault } }));
  expect(found.map(lineOf).toSorted()).toEqual(wanted.map(lineOf).toSorted());
}

function lineOf({ name, labels, value }: ExpectedSeries): string {
  return JSON.stringify([name, Object.entries(labels).toSorted(([one], [other]) => one.localeCompare(other)), value]);
}

function implausible(collector: string): LogLine {
  const fields = { cluster: 'hostile_labels', collector, node: '', reasons: 'service' };
  return { level: 'warn', message: 'implausible entries', fields };
}

describe('an unusual answer', () => {
  it.each(light)('%s fails no collector and keeps both formats valid', async (fault) => {
    const success = page.families.get('graphwarden_collector_success')?.samples ?? [];
    const own = success.filter(({ labels }) => labels.cluster_name === fault);
    expect(own.map(({ value }) => value)).toEqual(collectors.map(() => 1));
    expect(page.value('graphdb_up', { cluster_name: fault })).toBe(1);
    const accept = 'application/openmetrics-text;version=1.0.0';
    const { text } = await send(`${setup.daemon.url}/metrics`, { headers: { accept } });
    expect(readExposition(text, 'openmetrics').get('graphdb_up')?.samples).toHaveLength(light.length);
    const warnings = setup.daemon.log.filter(({ level }) => level !== 'info');
    expect(warnings).toHaveLength(6);
    expect(warnings).toEqual(
      expect.arrayContaining([
        { level: 'warn', message: 'no receivers configured, no notifications are sent', fields: {} },
        expect.objectContaining({ level: 'warn', message: 'series dropped' }),
        expect.objectContaining({ level: 'warn', message: 'label values cut' }),
        implausible('services'),
        implausible('categories'),
      ]),
    );
  });

  it.each(['duplicate_families', 'conflicting_families'] as const)(
    '%s: the first entry is used, and further entries are counted',
    (fault) => {
      expectTruth(fault, /^svc_|^graphdb_host_|^graphdb_disk_/);
      const { type } = page.families.get('svc_cpu_usage') ?? {};
      expect(type).toBe('gauge');
      const series = setup.simulator(fault).truth().page.length;
      expect(dropped(fault)).toEqual({ invalid: series });
    },
  );

  it('nan_values are passed through in families of the server, and not exposed in own families', () => {
    const theirs = setup.simulator('nan_values').truth().page;
    const values = [...new Set(theirs.map(({ name }) => name))].flatMap((name) => valuesOf('nan_values', name));
    expect(values).toEqual(theirs.map(() => Number.NaN));
    for (const name of ['graphdb_host_cpu_usage_ratio', 'graphdb_host_memory_limited', 'graphdb_disk_free_bytes']) {
      expect(shown('nan_values', name, before).length, name).toBeGreaterThan(0);
      expect(shown('nan_values', name), name).toEqual([]);
    }
  });

  it('memory_unlimited is not exposed as an amount of memory', () => {
    expect(valuesOf('memory_unlimited', 'graphdb_host_memory_limited')).toEqual([0]);
    expect(valuesOf('memory_unlimited', 'graphdb_host_memory_total_bytes')).toEqual([]);
    expect(valuesOf('memory_unlimited', 'graphdb_host_memory_available_bytes')).toEqual([]);
    expect(valuesOf('memory_unlimited', 'svc_memory_total')).toEqual([-1]);
    const [used = 0] = setup
      .simulator('memory_unlimited')
      .truth()
      .hosts.map(({ capacity }) => capacity?.memoryUsedMb ?? 0);
    expect(valuesOf('memory_unlimited', 'graphdb_host_memory_used_bytes')).toEqual([used * mebibyte]);
  });

  it('cpu_over_100 is not clamped', () => {
    const [{ capacity } = { capacity: undefined }] = setup.simulator('cpu_over_100').truth().hosts;
    const cpu = capacity?.cpu ?? Number.NaN;
    expect(valuesOf('cpu_over_100', 'graphdb_host_cpu_usage_ratio')[0]).toBeCloseTo((cpu + 137.5) / 100, 9);
    expect(valuesOf('cpu_over_100', 'graphdb_host_cpu_available_ratio')[0]).toBeCloseTo((100 - cpu - 137.5) / 100, 9);
  });

  it('hostile_labels stay label values everywhere', async () => {
    const names = shown('hostile_labels', 'svc_diskspace_free').map(({ labels }) => labels.path_name ?? '');
    const [last = '', ...short] = maliciousNames.toReversed();
    for (const name of short) expect(names).toContain(name);
    expect(names.filter((name) => name.startsWith(last.slice(0, 100))).map(({ length }) => length)).toEqual([256]);
    expect(page.families.has('evil_metric')).toBe(false);
    const labels = [...page.families.values()].flatMap(({ samples }) =>
      samples.flatMap((one) => Object.values(one.labels)),
    );
    expect(Math.max(...labels.map((value) => Buffer.byteLength(value)))).toBeLessThanOrEqual(256);
    const pages = await Promise.all(
      ['/', '/api/v1/collectors', '/nowhere<script>'].map((path) => send(setup.daemon.url + path)),
    );
    expect(
      pages.filter(({ headers, text }) => /html/.test(headers['content-type'] ?? '') && /<script>alert/.test(text)),
    ).toEqual([]);
  });

  it('clock_skew moves timestamps of the server, and no ages or local timestamps', () => {
    expectTruth('clock_skew', /^graphdb_(?:queries_|query_|delayed_)/);
    expectTruth('clock_skew', /^graphdb_informant_collected_timestamp_seconds$/);
    const [collected = 0] = valuesOf('clock_skew', 'graphdb_informant_collected_timestamp_seconds');
    const now = setup.clock.now().wall / 1000;
    expect(collected).toBeGreaterThan(now + skew - 120);
    const successes = valuesOf('clock_skew', 'graphwarden_collector_last_success_timestamp_seconds');
    expect(successes).toEqual(collectors.map(() => now));
  });
});

it('self-monitoring values match the injected clock exactly', () => {
  const now = setup.clock.now().wall / 1000;
  const all = (name: string): readonly number[] => [
    ...new Set(page.families.get(name)?.samples.map(({ value }) => value)),
  ];
  expect(all('graphdb_check_last_run_timestamp_seconds')).toEqual([now]);
  expect(all('graphwarden_collector_last_success_timestamp_seconds')).toEqual([now]);
  for (const name of ['graphdb_check_duration_seconds', 'graphwarden_collector_duration_seconds']) {
    expect(all(name), name).toEqual([0]);
  }
});

it('a counter continues if another collector replaces the failing one', async () => {
  const environment = await FaultEnvironment.start([faultCaseOf('c', { path: /^$/, affectedCollectors: [] })]);
  onTestFinished(() => environment.stop());
  const earlier = traffic(await environment.daemon.page());
  await environment.simulator('c').control.injectFault('status_500', { path: '/informant/metrics' });
  await environment.servers.advance(120_000);
  await environment.runPollCycle();
  const [{ network } = { network: undefined }] = environment.simulator('c').truth().hosts;
  await environment.shows((now) => expect(traffic(now)).toEqual([network?.incoming, network?.outgoing]));
  expect(traffic(await environment.daemon.page())).not.toEqual(earlier);
});

function traffic({ families }: Page): readonly number[] {
  return families.get('graphdb_network_bytes_total')?.samples.map(({ value }) => value) ?? [];
}
