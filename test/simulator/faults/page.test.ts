import { describe, expect, it } from 'vitest';
import type { OutgoingReply } from '../../../src/kernel/listener.ts';
import { informantPage } from '../../../src/simulator/endpoints/informant-page.ts';
import {
  conflictingFamilies,
  cpuOver100,
  duplicateFamilies,
  maliciousLabels,
  maliciousNames,
  memoryUnlimited,
  nanValues,
} from '../../../src/simulator/faults/page.ts';
import { json } from '../../../src/simulator/replies.ts';
import { readExposition } from '../../support/exposition.ts';
import { callOn, worldOf } from '../test-world.ts';
import { faultContextOf, healthyReply } from './fault-context.ts';

const page = await informantPage(callOn(worldOf()));
const setup = faultContextOf({ reply: page, path: '/informant/metrics' });

function textOf({ body }: OutgoingReply): string {
  if (typeof body !== 'string') throw new Error('not a text');
  return body;
}

function values(text: string, family: string): readonly number[] {
  return (
    readExposition(text, 'text')
      .get(family)
      ?.samples.map(({ value }) => value) ?? []
  );
}

describe('the faults of a page', () => {
  it('set every value to NaN', () => {
    const families = readExposition(textOf(nanValues(setup)), 'text');
    for (const { samples } of families.values()) expect(samples.every(({ value }) => Number.isNaN(value))).toBe(true);
  });

  it('remove the memory limit, and keep other values', () => {
    const text = textOf(memoryUnlimited(setup));
    expect(values(text, 'svc_memory_total')).toEqual([-1, -1, -1]);
    expect(values(text, 'svc_memory_available')).toEqual([-1, -1, -1]);
    expect(values(text, 'svc_memory_usage')).toEqual(values(page.body, 'svc_memory_usage'));
  });

  it('raise the CPU usage above 100 %', () => {
    const text = textOf(cpuOver100(setup));
    expect(values(text, 'svc_cpu_usage').every((value) => value > 100)).toBe(true);
    expect(values(text, 'svc_cpu_available').every((value) => value < 0)).toBe(true);
    expect(values(text, 'svc_cpu_logical_cores_total')).toEqual([16, 16, 16]);
  });

  it('duplicate families with other values', () => {
    const text = textOf(duplicateFamilies(setup));
    expect(text.startsWith(page.body)).toBe(true);
    expect(text.slice(page.body.length).match(/ 4711$/gm)?.length).toBe(page.body.match(/^svc_/gm)?.length);
    expect(text.match(/^# TYPE svc_cpu_usage gauge$/gm)).toHaveLength(2);
  });

  it('give families conflicting types', () => {
    const text = textOf(conflictingFamilies(setup));
    expect(text.match(/^# TYPE svc_cpu_usage \w+$/gm)).toEqual([
      '# TYPE svc_cpu_usage gauge',
      '# TYPE svc_cpu_usage counter',
    ]);
  });

  it('put special characters into label values', () => {
    const directories = readExposition(textOf(maliciousLabels(setup)), 'text').get('svc_diskspace_free')?.samples ?? [];
    expect(directories.slice(0, maliciousNames.length).map(({ labels }) => labels.path_name)).toEqual(maliciousNames);
    expect(maliciousNames.some((name) => name.length > 10_000)).toBe(true);
  });

  it('do not change other replies', () => {
    for (const spoil of [duplicateFamilies, conflictingFamilies, nanValues, memoryUnlimited, cpuOver100]) {
      expect(spoil(faultContextOf())).toBe(healthyReply);
    }
    const other = { ...page, body: '# nothing\n' };
    expect(maliciousLabels(faultContextOf({ reply: other }))).toBe(other);
  });
});

describe('hostileLabels in JSON', () => {
  it('change urls and service names, in valid JSON', () => {
    const reply = json({ results: [{ requestid: '1', url: '/query/fraud/ring_scan' }, { ServiceName: 'GPE' }] });
    const spoilt: unknown = JSON.parse(textOf(maliciousLabels(faultContextOf({ reply }))));
    expect(spoilt).toMatchObject({
      results: [
        { requestid: '1', url: expect.stringMatching(/^\/query\/fraud\/quote "[\s\S]*ring_scan$/) },
        { ServiceName: expect.stringContaining('<script>') },
      ],
    });
  });
});
