/** Factors of the suffixes that Grafana appends, by unit. */
const factors: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  none: { '': 1 },
  short: { '': 1, K: 1e3, Mil: 1e6, Bil: 1e9, Tri: 1e12 },
  percentunit: { '%': 0.01 },
  bytes: { B: 1, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30, TiB: 2 ** 40, PiB: 2 ** 50 },
  Bps: { 'B/s': 1, 'kB/s': 1e3, 'MB/s': 1e6, 'GB/s': 1e9 },
  reqps: { 'req/s': 1, 'K req/s': 1e3 },
  ops: { 'ops/s': 1, 'K ops/s': 1e3 },
  s: {
    ns: 1e-9,
    µs: 1e-6,
    ms: 1e-3,
    s: 1,
    min: 60,
    mins: 60,
    hour: 3600,
    hours: 3600,
    day: 86_400,
    days: 86_400,
    week: 604_800,
    weeks: 604_800,
    year: 31_557_600,
    years: 31_557_600,
  },
};

/** Reads a number with a unit back, with the size of its last digit; undefined if the unit is not the expected one. */
export function magnitudeOf(
  text: string,
  unit: string,
): { readonly value: number; readonly precision: number } | undefined {
  const [, digits = '', suffix = ''] = /^(-?\d+(?:\.\d+)?)\s*(.*)$/.exec(text) ?? [];
  const factor = factors[unit]?.[suffix];
  if (factor === undefined || digits === '') return undefined;
  const decimals = digits.split('.')[1]?.length ?? 0;
  return { value: Number(digits) * factor, precision: factor * 10 ** -decimals };
}
