// Entry of the second file of the bundle, which only an installation with exports loads.
export { openMetricExports } from './open-metric-exports.ts';
export { openSpanExports } from './open-span-exports.ts';
