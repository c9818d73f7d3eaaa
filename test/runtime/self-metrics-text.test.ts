import { expect, it } from 'vitest';
import { toOpenMetrics, toTextFormat } from '../../src/runtime/self-metrics.ts';

const page = `# HELP a_total A total of a_total things.
# TYPE a_total counter
a_total 1

# HELP b_total Not a counter.
# TYPE b_total gauge
b_total Nan
`;

it('self-monitoring metrics text › has no empty lines and no NaN of another spelling', () => {
  expect(toTextFormat(page)).toBe(
    `# HELP a_total A total of a_total things.\n# TYPE a_total counter\na_total 1\n# HELP b_total Not a counter.\n# TYPE b_total gauge\nb_total NaN\n`,
  );
});

it('self-monitoring metrics text › names counters, and counters alone, without _total in OpenMetrics', () => {
  expect(toOpenMetrics(page)).toBe(
    `# HELP a A total of a_total things.\n# TYPE a counter\na_total 1\n# HELP b_total Not a counter.\n# TYPE b_total gauge\nb_total NaN\n`,
  );
});
