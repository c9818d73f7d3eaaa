import { expect, it } from 'vitest';
import { toOpenMetrics, toTextFormat } from '../../src/runtime/self-metrics.ts';

const page = `# HELP a_total A total of a_total things.
# TYPE a_total counter
a_total 1

# HELP b_total Not a counter.
# TYPE b_total gauge
b_total Nan

# HELP nodejs_eventloop_lag_min_seconds Min.
# TYPE nodejs_eventloop_lag_min_seconds gauge
nodejs_eventloop_lag_min_seconds 9223372036.854776

# HELP nodejs_eventloop_lag_mean_seconds Mean.
# TYPE nodejs_eventloop_lag_mean_seconds gauge
nodejs_eventloop_lag_mean_seconds Nan
`;

const lag = `# HELP nodejs_eventloop_lag_min_seconds Min.
# TYPE nodejs_eventloop_lag_min_seconds gauge
# HELP nodejs_eventloop_lag_mean_seconds Mean.
# TYPE nodejs_eventloop_lag_mean_seconds gauge
`;

it('has no empty lines, no NaN of another spelling and no minimum of nothing', () => {
  expect(toTextFormat(page)).toBe(
    `# HELP a_total A total of a_total things.\n# TYPE a_total counter\na_total 1\n# HELP b_total Not a counter.\n# TYPE b_total gauge\nb_total NaN\n${lag}`,
  );
});

it('names counters, and counters alone, without _total in OpenMetrics', () => {
  expect(toOpenMetrics(page)).toBe(
    `# HELP a A total of a_total things.\n# TYPE a counter\na_total 1\n# HELP b_total Not a counter.\n# TYPE b_total gauge\nb_total NaN\n${lag}`,
  );
});
