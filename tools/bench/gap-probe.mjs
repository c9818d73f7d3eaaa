/**
 * Preloaded into a measured process: the longest time between two runs of a timer that should run every 5 ms is
 * the longest time for which the event loop was held. (The built-in histogram can miss a whole block.) JavaScript,
 * because what reads TypeScript would weigh on the memory that is measured.
 */
let longest = 0;
let last = performance.now();
let timer = start();

process.on('message', (message) => {
  if (message === 'gap') {
    process.send?.({ gap: longest });
    longest = 0;
  }
  // The probe itself wakes the process up: where CPU is measured it has to be still.
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
