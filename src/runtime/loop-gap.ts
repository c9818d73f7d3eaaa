import type { Clock, Millis } from '../kernel/time.ts';

/** How often the gap is measured. */
const beat: Millis = 20;

/** A maximum is kept for between one and two of these, so that no scraper misses it and none resets it. */
const span: Millis = 30_000;

/** Watches for how long the event loop answers to nothing. */
export interface LoopGap {
  /** The longest gap of the last half minute to minute, beyond what the timer was set to. */
  longest(): Millis;
  stop(): void;
}

/**
 * Measures how late a timer comes. The built-in histogram samples and can miss a single long block; a timer
 * that is late by the block's length cannot.
 */
export function watchLoopGap(clock: Clock): LoopGap {
  const stopped = new AbortController();
  let began = clock.now().mono;
  let previous = 0;
  let current = 0;
  const watch = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      const before = clock.now().mono;
      await clock.sleep(beat, stopped.signal);
      const now = clock.now().mono;
      if (now - began >= span) [began, previous, current] = [now, current, 0];
      current = Math.max(current, now - before - beat);
    }
  };
  void watch();
  return { longest: () => Math.max(previous, current), stop: () => stopped.abort() };
}
