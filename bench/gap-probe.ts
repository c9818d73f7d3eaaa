/**
 * Preloaded into a measured process: the longest time between two runs of a timer that should run every 5 ms is
 * the longest time for which the event loop was held. (The built-in histogram can miss a whole block.)
 */
let longest = 0;
let last = performance.now();

setInterval(() => {
  const now = performance.now();
  longest = Math.max(longest, now - last - 5);
  last = now;
}, 5).unref();

process.on('message', (message) => {
  if (message !== 'gap') return;
  process.send?.({ gap: longest });
  longest = 0;
});
process.channel?.unref();
