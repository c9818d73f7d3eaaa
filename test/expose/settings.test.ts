import { describe, expect, it } from 'vitest';
import { limitsSection, reducedBody } from '../../src/expose/settings.ts';

describe('the limits section', () => {
  it('has the defaults of the contract', () => {
    expect(limitsSection.parse({})).toEqual({
      seriesPerFamily: 20_000,
      seriesPerCollector: 150_000,
      seriesPerPage: 300_000,
      labelValueBytes: 256,
      instanceNumber: 1000,
      body: 33_554_432,
    });
  });

  it.each([
    ['1KiB', 1_024],
    ['1GiB', 2 ** 30],
  ])('accepts a body of %s', (body, bytes) => {
    expect(limitsSection.parse({ body }).body).toBe(bytes);
  });

  it.each([
    ['128MiB', 2 ** 27],
    ['64GiB', 2 ** 36],
  ])('accepts a memory of %s', (memory, bytes) => {
    expect(limitsSection.parse({ memory }).memory).toBe(bytes);
  });

  it('takes the memory of the process by default, and with `auto`', () => {
    expect(limitsSection.parse({ memory: 'auto' })).toEqual(limitsSection.parse({}));
    expect(limitsSection.parse({})).not.toHaveProperty('memory');
  });

  it('keeps the default body with any memory', () => {
    expect(limitsSection.parse({ memory: '128MiB' }).body).toBe(33_554_432);
  });

  it.each([
    [{ memory: '127MiB' }, 'must be 128MiB to 64GiB'],
    [{ body: '1023B' }, 'must be 1KiB to 1GiB'],
    [{ body: '2GiB' }, 'must be 1KiB to 1GiB'],
    [{ memory: 'car' }, 'is not a size: write a number with a unit, such as 512KiB, 64MiB or 2GiB'],
    [{ body: '33MiB', memory: '512MiB' }, 'must be at most 32MiB, a sixteenth of limits.memory'],
    [{ body: 'huge' }, 'is not a size: write a number with a unit, such as 512KiB, 64MiB or 2GiB'],
  ])('refuses %j', (given, message) => {
    expect(limitsSection.safeParse(given).error?.issues.map((issue) => issue.message)).toEqual([message]);
  });

  it.each([
    { series_per_family: 0 },
    { series_per_collector: 1.5 },
    { series_per_page: Number.NaN },
    { label_value_bytes: 15 },
    { body: 1024 },
    { unknown: 1 },
  ])('refuses %j', (given) => {
    expect(limitsSection.safeParse(given).success).toBe(false);
  });
});

describe('a warning about a reduced body', () => {
  it.each([
    [{ body: '65MiB' }, ['is reduced to 64MiB or less, a sixteenth of the memory']],
    [{ body: '65MiB', memory: '2GiB' }, []],
    [{ body: '64MiB' }, []],
  ])('for %j', (given, messages) => {
    expect(reducedBody(limitsSection.parse(given)).map(({ message }) => message)).toEqual(messages);
  });
});
