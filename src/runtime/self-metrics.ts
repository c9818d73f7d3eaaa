import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { type Clock, type Millis, toSeconds } from '../kernel/time.ts';
import { systemClock } from './clock.ts';

/** How often the gap is measured. */
const gapMeasureInterval: Millis = 20;

/** A maximum is kept for between one and two of these, so that no scraper misses it and none resets it. */
const gapWindow: Millis = 30_000;

/** Watches for how long the event loop answers to nothing. */
export interface EventLoopGap {
  /** The longest gap of the last half minute to minute, beyond what the timer was set to. */
  longest(): Millis;
  stop(): void;
}

/**
 * Measures how late a timer comes. The built-in histogram samples and can miss a single long block; a timer
 * that is late by the block's length cannot.
 */
export function measureEventLoopGap(clock: Clock): EventLoopGap {
  const stopped = new AbortController();
  let began = clock.now().mono;
  let previous = 0;
  let current = 0;
  const watch = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      const before = clock.now().mono;
      await clock.sleep(gapMeasureInterval, stopped.signal);
      const now = clock.now().mono;
      if (now - began >= gapWindow) [began, previous, current] = [now, current, 0];
      current = Math.max(current, now - before - gapMeasureInterval);
    }
  };
  void watch();
  return { longest: () => Math.max(previous, current), stop: () => stopped.abort() };
}

/** What the built-in histogram of the event loop's delay says when it has seen nothing since the last scrape. */
const emptyHistogramMarker = /^nodejs_eventloop_lag_\w+ (?:Nan|9223372036\.854776)\n/gm;

/** A page of prom-client without the empty lines between its families, and with the format's own spelling of NaN. */
export function toTextFormat(page: string): string {
  return page
    .replaceAll(emptyHistogramMarker, '')
    .replaceAll(/\n{2,}/g, '\n')
    .replaceAll(/ Nan$/gm, ' NaN');
}

/**
 * The same page in OpenMetrics, without `# EOF`: counters lose the `_total` of their samples in the header.
 * (A registry set to OpenMetrics renames its counters for good, so one registry could not serve both.)
 */
export function toOpenMetrics(page: string): string {
  const counters = new Set(Array.from(page.matchAll(/^# TYPE (\w+)_total counter$/gm), ([, stem]) => stem));
  return toTextFormat(page).replaceAll(/^# (HELP|TYPE) (\w+)_total /gm, (line, kind: string, stem: string) =>
    counters.has(stem) ? `# ${kind} ${stem} ` : line,
  );
}

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
const cacheLifetime: Millis = 100;

/** Gauges of prom-client whose names say that they are counters. */
const gaugesNamedAsCounters = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
];

/** Begins to measure this process, in a registry of its own: two of them do not notice each other. */
export function createSelfMetrics(
  build: { readonly version: string; readonly commit: string },
  clock: Clock = systemClock,
): SelfMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const name of gaugesNamedAsCounters) registry.removeSingleMetric(name);
  const gap = measureEventLoopGap(clock);
  const { success, time, longestGap } = declareMetrics(registry, build);
  const rendered = new Map<Format, { readonly page: Promise<string>; readonly until: number }>();

  async function render(format: Format): Promise<string> {
    longestGap.set(toSeconds(gap.longest()));
    const page = await registry.metrics();
    return format === 'text' ? toTextFormat(page) : toOpenMetrics(page);
  }

  return {
    tail: (format) => {
      const { mono } = clock.now();
      const last = rendered.get(format);
      if (last !== undefined && mono < last.until) return last.page;
      const page = render(format);
      rendered.set(format, { page, until: mono + cacheLifetime });
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

function declareMetrics(registry: Registry, build: { version: string; commit: string }) {
  const registers = [registry];
  new Gauge({
    name: 'graphwarden_build_info',
    help: 'Version of this build; the value is always 1.',
    labelNames: ['version', 'commit', 'nodejs'],
    registers,
  }).set({ ...build, nodejs: process.versions.node }, 1);
  const longestGap = new Gauge({
    name: 'graphwarden_event_loop_max_lag_seconds',
    help: 'Longest time in the last minute in which the event loop was blocked.',
    registers,
  });
  const success = new Gauge({
    name: 'graphwarden_config_last_reload_successful',
    help: 'Whether the last configuration reload attempt was successful.',
    registers,
  });
  const time = new Gauge({
    name: 'graphwarden_config_last_reload_success_timestamp_seconds',
    help: 'Unix timestamp of the last successful configuration reload.',
    registers,
  });
  return { success, time, longestGap };
}

/** Adds two properties of metrics that the declarations of the library lack. */
function describe(metric: object): SelfMetric {
  const { name, help, type, labelNames } = { name: '', help: '', type: '', labelNames: [], ...metric };
  return { name, help, type, labels: labelNames };
}
