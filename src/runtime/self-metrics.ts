import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { type Clock, inSeconds, type Millis } from '../kernel/time.ts';
import { systemClock } from './clock.ts';
import { watchLoopGap } from './loop-gap.ts';
import { asOpenMetrics, asText } from './self-metrics-text.ts';

/** A family of ours that no collector declares, for the catalogue. */
export interface SelfMetric {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly labels: readonly string[];
}

/** The metrics about the process itself. */
export interface SelfMetrics {
  /** Rendered now or a moment ago, without `# EOF`. */
  tail(format: Format): Promise<string>;
  /** Notes the outcome of a reload; `atSeconds` since the epoch. */
  reloaded(ok: boolean, atSeconds: number): void;
  /** Ends the timer. */
  stop(): void;
  readonly metrics: readonly SelfMetric[];
}

type Format = 'text' | 'openmetrics';

/** It takes a millisecond or two, whatever the page, to list open files and such: scrapes that come together share it. */
const sharedFor: Millis = 100;

/** Gauges of prom-client whose names say that they are counters. */
const misnamed = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

/** Begins to measure this process, in a registry of its own: two of them do not notice each other. */
export function createSelfMetrics(
  build: { readonly version: string; readonly commit: string },
  clock: Clock = systemClock,
): SelfMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const name of misnamed) registry.removeSingleMetric(name);
  const gap = watchLoopGap(clock);
  const { success, time, longestGap } = declare(registry, build);
  const rendered = new Map<Format, { readonly page: Promise<string>; readonly until: number }>();

  async function render(format: Format): Promise<string> {
    longestGap.set(inSeconds(gap.longest()));
    const page = await registry.metrics();
    return format === 'text' ? asText(page) : asOpenMetrics(page);
  }

  return {
    tail: (format) => {
      const { mono } = clock.now();
      const last = rendered.get(format);
      if (last !== undefined && mono < last.until) return last.page;
      const page = render(format);
      rendered.set(format, { page, until: mono + sharedFor });
      return page;
    },
    reloaded: (ok, atSeconds) => {
      success.set(ok ? 1 : 0);
      if (ok) time.set(atSeconds);
      rendered.clear();
    },
    stop: () => gap.stop(),
    metrics: registry.getMetricsAsArray().map(describe),
  };
}

function declare(registry: Registry, build: { version: string; commit: string }) {
  const registers = [registry];
  new Gauge({
    name: 'graphwarden_build_info',
    help: 'Which build this is; always 1.',
    labelNames: ['version', 'commit', 'nodejs'],
    registers,
  }).set({ ...build, nodejs: process.versions.node }, 1);
  const longestGap = new Gauge({
    name: 'graphwarden_event_loop_longest_gap_seconds',
    help: 'Longest time within the last minute in which the process answered to nothing.',
    registers,
  });
  const success = new Gauge({
    name: 'graphwarden_config_last_reload_successful',
    help: 'Whether the last attempt to load the configuration succeeded.',
    registers,
  });
  const time = new Gauge({
    name: 'graphwarden_config_last_reload_success_timestamp_seconds',
    help: 'When the configuration was last loaded successfully, since the epoch.',
    registers,
  });
  return { success, time, longestGap };
}

/** The library's declarations leave out two of the properties that its metrics have. */
function describe(metric: object): SelfMetric {
  const { name, help, type, labelNames } = { name: '', help: '', type: '', labelNames: [], ...metric };
  return { name, help, type, labels: labelNames };
}
