import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { ListenerCounters } from '../kernel/listener.ts';
import { type Clock, type Millis, toSeconds } from '../kernel/time.ts';
import { systemClock } from './clock.ts';
import { activeTimeOfEventLoop } from './process.ts';
import { MemoryBudget } from './reply-memory.ts';

/** Interval at which the gap is measured. A shorter one costs an idle process more CPU than its polls. */
const gapMeasureInterval: Millis = 250;

/** Interval of the measurement while the event loop is active so briefly that no longer gap is possible. */
const calmMeasureInterval: Millis = 1000;
const calmActiveTime: Millis = 25;

/**
 * Period of a maximum. A maximum is exposed for one to two periods, so that no scraper misses it and none resets it.
 */
const gapWindow: Millis = 30_000;

/** Measurement of how long the event loop is blocked. */
export interface EventLoopGap {
  /** Returns the longest gap of the last 30 to 60 seconds, without the interval of the timer. */
  longest(): Millis;
  stop(): void;
}

/**
 * Measures how late a timer fires. It detects every block of the event loop that is longer than the interval of the timer, and
 * some shorter ones.
 */
export function measureEventLoopGap(clock: Clock, activeTime = activeTimeOfEventLoop): EventLoopGap {
  const stopped = new AbortController();
  let began = clock.now().mono;
  let previous = 0;
  let current = 0;
  const measure = async (): Promise<void> => {
    let interval = gapMeasureInterval;
    while (!stopped.signal.aborted) {
      const [before, activeBefore] = [clock.now().mono, activeTime()];
      await clock.sleep(interval, stopped.signal);
      const now = clock.now().mono;
      if (now - began >= gapWindow) [began, previous, current] = [now, current, 0];
      current = Math.max(current, now - before - interval);
      interval = activeTime() - activeBefore < calmActiveTime ? calmMeasureInterval : gapMeasureInterval;
    }
  };
  void measure();
  return { longest: () => Math.max(previous, current), stop: () => stopped.abort() };
}

/** Returns a page of prom-client without empty lines, and with `NaN` as the text format spells it. */
export function toTextFormat(page: string): string {
  return page.replaceAll(/\n{2,}/g, '\n').replaceAll(/ Nan$/gm, ' NaN');
}

/**
 * Converts a page of prom-client to OpenMetrics, without `# EOF`: the HELP and TYPE lines of counters lose the suffix `_total`.
 * A registry in OpenMetrics mode renames its counters permanently, so one registry cannot serve both formats.
 */
export function toOpenMetrics(page: string): string {
  const counters = new Set(Array.from(page.matchAll(/^# TYPE (\w+)_total counter$/gm), ([, stem]) => stem));
  return toTextFormat(page).replaceAll(/^# (HELP|TYPE) (\w+)_total /gm, (line, kind: string, stem: string) =>
    counters.has(stem) ? `# ${kind} ${stem} ` : line,
  );
}

/** Metric family that no collector declares, for the metrics reference. */
export interface SelfMetric {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly labels: readonly string[];
}

/** The metrics about the process itself. */
export interface SelfMetrics {
  /** Returns these metrics as the end of a metrics page, at most 100 ms old, without `# EOF`. */
  tail(format: Format): Promise<string>;
  /** Records the result of a reload; `atSeconds` since the epoch. */
  reloaded(ok: boolean, atSeconds: number): void;
  /** Counters of the daemon's listener. */
  readonly listener: ListenerCounters;
  /** Ends the timer. */
  stop(): void;
  readonly metrics: readonly SelfMetric[];
}

type Format = 'text' | 'openmetrics';

/**
 * How long a rendered page is reused. Listing the open files takes one or two milliseconds, so concurrent scrapes share the page.
 */
const cacheLifetime: Millis = 100;

/**
 * Default metrics of prom-client that are not exposed: series that only help to debug the runtime, gauges that are named as
 * counters, and the histogram of the event loop's delay, whose timer costs more than all polls of a small cluster.
 */
const hiddenMetrics = /^nodejs_(?:active_|heap_space_|eventloop_lag_(?!seconds$))/;

/** Period of the built-in histogram, which cannot be switched off. */
const lagHistogramPeriod: Millis = 2 ** 31 - 1;

/** Starts the metrics of this process in a separate registry, so that several instances do not share values. */
export function createSelfMetrics(
  build: { readonly version: string; readonly commit: string },
  clock: Clock = systemClock,
  replyMemory: Pick<MemoryBudget, 'use'> = new MemoryBudget(),
): SelfMetrics {
  const registry = new Registry();
  collectDefaultMetrics({
    register: registry,
    eventLoopMonitoringPrecision: lagHistogramPeriod,
    // One bucket, because each kind of garbage collection is a series per bucket.
    gcDurationBuckets: [0.1],
  });
  for (const { name } of registry.getMetricsAsArray()) if (hiddenMetrics.test(name)) registry.removeSingleMetric(name);
  const gap = measureEventLoopGap(clock);
  const { success, time, longestGap } = declareMetrics(registry, build);
  const listener = declareListenerMetrics(registry);
  const updateReplyMemory = declareReplyMemory(registry, replyMemory);
  const rendered = new Map<Format, { readonly page: Promise<string>; readonly until: number }>();

  async function render(format: Format): Promise<string> {
    longestGap.set(toSeconds(gap.longest()));
    updateReplyMemory();
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
    listener,
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
    help: 'Longest block of the event loop in the last minute, in seconds.',
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

/** Returns the function that updates the families of the memory for long replies. */
function declareReplyMemory(registry: Registry, memory: Pick<MemoryBudget, 'use'>): () => void {
  const registers = [registry];
  const limit = new Gauge({
    name: 'graphwarden_reply_memory_limit_bytes',
    help: 'Memory that the long replies of all servers may use together in bytes.',
    registers,
  });
  const reserved = new Gauge({
    name: 'graphwarden_reply_memory_reserved_bytes',
    help: 'Memory that is reserved for long replies in bytes.',
    registers,
  });
  const waits = new Counter({
    name: 'graphwarden_reply_memory_waits_total',
    help: 'Long replies that had to wait for memory that other replies used.',
    registers,
  });
  let counted = 0;
  return () => {
    const { use } = memory;
    limit.set(use.limit);
    reserved.set(use.reserved);
    waits.inc(use.waits - counted);
    counted = use.waits;
  };
}

function declareListenerMetrics(registry: Registry): ListenerCounters {
  const labelNames = ['reason'] as const;
  const closed = new Counter({
    name: 'graphwarden_http_connections_closed_total',
    help: 'Total number of connections that the listener closed at a limit, by reason: idle or busy (too many connections), pipelined (too many unanswered requests), slow (client does not read the response), timeout (request not complete), headers or body (too large).',
    labelNames,
    registers: [registry],
  });
  const failed = new Counter({
    name: 'graphwarden_http_authentication_failures_total',
    help: 'Requests and connections without a valid user or client certificate, by reason.',
    labelNames,
    registers: [registry],
  });
  // The series of the other reasons, which are rare, begin with the first event.
  for (const reason of ['idle', 'busy', 'slow', 'timeout'] as const) closed.inc({ reason }, 0);
  for (const reason of ['no_credentials', 'wrong_credentials'] as const) failed.inc({ reason }, 0);
  return {
    connectionClosed: (reason) => closed.inc({ reason }),
    authenticationFailed: (reason) => failed.inc({ reason }),
  };
}

/** Adds two properties of metrics that the declarations of the library lack. */
function describe(metric: object): SelfMetric {
  const { name, help, type, labelNames } = { name: '', help: '', type: '', labelNames: [], ...metric };
  return { name, help, type, labels: labelNames };
}
