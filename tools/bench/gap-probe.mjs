/**
 * Preloaded into a measured process. Measures the longest time between two runs of a timer with an interval of 5 ms, which is
 * the longest time for which the event loop was blocked; the built-in histogram can miss a block. It is JavaScript, because
 * loading TypeScript would increase the measured memory.
 */
let longest = 0;
let last = performance.now();
let timer = start();

process.on('message', (message) => {
  if (message === 'gap') {
    process.send?.({ gap: longest });
    longest = 0;
  }
  // The timer wakes the process up, so it is stopped while CPU is measured.
  clearInterval(timer);
  if (message !== 'still') timer = start();
});
process.channel?.unref();

function start() {
  last = performance.now();
  return setInterval(look, 5).unref();
}

function look() {
  const now = performance.now();
  longest = Math.max(longest, now - last - 5);
  last = now;
}
