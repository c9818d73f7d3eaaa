import { accessCases } from './access-cases.ts';
import { burnRateCases } from './burn-rate-cases.ts';
import { graphCases } from './graph-cases.ts';
import { guardCases } from './guard-cases.ts';
import { probeCases } from './probe-cases.ts';
import { queryCases } from './query-cases.ts';
import { resourceCases } from './resource-cases.ts';
import type { RuleCase } from './rule-case.ts';
import { absenceCases, selfMonitoringCases } from './self-monitoring-cases.ts';
import { serviceCases } from './service-cases.ts';

/** One or more for every alert but the watchdog, which always fires. */
export const ruleCases: readonly RuleCase[] = [
  ...serviceCases,
  ...resourceCases,
  ...accessCases,
  ...graphCases,
  ...queryCases,
  ...probeCases,
  ...guardCases,
  ...selfMonitoringCases,
  ...burnRateCases,
  ...absenceCases,
];
