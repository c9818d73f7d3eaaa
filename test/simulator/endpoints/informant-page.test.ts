import { describe, expect, it } from 'vitest';
import { informantPage, pageFamilies } from '../../../src/simulator/endpoints/informant-page.ts';
import type { SimulatorOptions } from '../../../src/simulator/options.ts';
import { readExposition } from '../../support/exposition.ts';
import type { ExpositionSample } from '../../support/exposition-family.ts';
import { callOn, noon, worldOf } from '../test-world.ts';

async function page(options: SimulatorOptions = {}): Promise<string> {
  return (await informantPage(callOn(worldOf(options)))).body;
}

async function samples(family: string, options: SimulatorOptions = {}): Promise<readonly ExpositionSample[]> {
  return readExposition(await page(options), 'text').get(family)?.samples ?? [];
}

const always = [
  'svc_cpu_usage',
  'svc_diskspace_free',
  'svc_diskspace_usage',
  'svc_memory_usage',
  'svc_network_connections',
  'svc_network_traffic',
  'svc_service_status',
];
const capacity = ['svc_cpu_available', 'svc_cpu_logical_cores_total', 'svc_memory_available', 'svc_memory_total'];

describe('the families of the page', () => {
  it.each([
    ['3.9.3', always],
    ['3.10.2', [...always, ...capacity]],
    ['4.1.2', [...always, ...capacity]],
  ])('in %s', async (version, expected) => {
    const families = readExposition(await page({ version }), 'text');
    expect([...families.keys()]).toEqual(expected.toSorted());
    expect([...families.values()].every(({ type, help }) => type === 'gauge' && help !== '')).toBe(true);
  });

  it('carry the prefix of the server', async () => {
    const families = readExposition(await page({ prefix: 'tigergraph_' }), 'text');
    expect([...families.keys()].every((name) => name.startsWith('tigergraph_'))).toBe(true);
  });

  it('have their labels sorted', async () => {
    for (const line of (await page({ version: '4.3.0' })).split('\n')) {
      const names = [...line.matchAll(/(\w+)="/g)].map(([, name]) => name);
      expect(names).toEqual(names.toSorted((a = '', b = '') => (a < b ? -1 : 1)));
    }
  });
});

describe('the samples of the page', () => {
  it('have the label of the host, except the status', async () => {
    const [status] = await samples('svc_service_status');
    expect(Object.keys(status?.labels ?? {})).toEqual(['partition', 'replica', 'service_name']);
    expect((await samples('svc_network_connections')).map(({ labels }) => labels)).toEqual([
      { host_id: 'm1' },
      { host_id: 'm2' },
      { host_id: 'm3' },
    ]);
  });

  it('have empty labels for properties that a service does not have', async () => {
    const status = (await samples('svc_service_status')).map(({ labels }) => labels);
    expect(status).toContainEqual({ partition: '', replica: '1', service_name: 'RESTPP' });
    expect(status).toContainEqual({ partition: '2', replica: '', service_name: 'EXE' });
    expect(status).toContainEqual({ partition: '1', replica: '3', service_name: 'GPE' });
  });

  it('omit a stopped service, but not its status', async () => {
    const world = worldOf();
    world.setService({ service: 'GSE', replica: '2' }, 'Down');
    world.advance(noon + 60_000);
    const families = readExposition((await informantPage(callOn(world))).body, 'text');
    const usage = families.get('svc_cpu_usage')?.samples.filter(({ labels }) => labels.service_name === 'GSE');
    expect(usage?.map(({ labels }) => labels.host_id)).toEqual(['m1', 'm3']);
    const down = families.get('svc_service_status')?.samples.filter(({ value }) => value === 27);
    expect(down?.map(({ labels }) => labels)).toEqual([{ partition: '1', replica: '2', service_name: 'GSE' }]);
  });

  it('do not change between two refreshes', async () => {
    const world = worldOf();
    const pages: string[] = [];
    for (const passed of [0, 30_000, 60_000]) {
      world.advance(noon + passed);
      pages.push((await informantPage(callOn(world))).body);
    }
    expect(pages[1] === pages[0] || pages[2] === pages[1]).toBe(true);
    expect(pages[2]).not.toBe(pages[0]);
  });

  it('use exponents, as Go does', async () => {
    expect(await page()).toMatch(/svc_network_traffic\{direction="incoming",host_id="m1"\} \d\.\d+e\+08\n/);
  });

  it('are equal to the facts', async () => {
    const world = worldOf({ version: '4.3.0' });
    const families = readExposition((await informantPage(callOn(world))).body, 'text');
    for (const { name, samples: facts } of pageFamilies(world)) {
      const read = families.get(`svc_${name}`)?.samples ?? [];
      expect(read.map(({ labels, value }) => ({ labels, value }))).toEqual(facts);
    }
  });
});

function extra(text: string): readonly string[] {
  return text.split('\n').filter((line) => line.startsWith('svc_extra'));
}

describe('padding', () => {
  it.each([1_000, 10_000, 12_345])('adds exactly %d series in ten families', async (padding) => {
    const families = readExposition(await page({ padding }), 'text');
    const added = [...families.values()].filter(({ name }) => name.startsWith('svc_extra_'));
    expect(added).toHaveLength(10);
    expect(added.reduce((sum, family) => sum + family.samples.length, 0)).toBe(padding);
  });

  it('changes with each refresh', async () => {
    const world = worldOf({ padding: 10 });
    const before = (await informantPage(callOn(world))).body;
    world.advance(noon + 60_000);
    const after = (await informantPage(callOn(world))).body;
    expect(extra(before)).toHaveLength(10);
    expect(extra(after)).not.toEqual(extra(before));
  });
});
