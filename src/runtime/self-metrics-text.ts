/** What the built-in histogram of the event loop's delay says when it has seen nothing since the last scrape. */
const nothingSeen = /^nodejs_eventloop_lag_\w+ (?:Nan|9223372036\.854776)\n/gm;

/** A page of prom-client without the empty lines between its families, and with the format's own spelling of NaN. */
export function asText(page: string): string {
  return page
    .replaceAll(nothingSeen, '')
    .replaceAll(/\n{2,}/g, '\n')
    .replaceAll(/ Nan$/gm, ' NaN');
}

/**
 * The same page in OpenMetrics, without `# EOF`: counters lose the `_total` of their samples in the header.
 * (A registry set to OpenMetrics renames its counters for good, so one registry could not serve both.)
 */
export function asOpenMetrics(page: string): string {
  const counters = new Set(Array.from(page.matchAll(/^# TYPE (\w+)_total counter$/gm), ([, stem]) => stem));
  return asText(page).replaceAll(/^# (HELP|TYPE) (\w+)_total /gm, (line, kind: string, stem: string) =>
    counters.has(stem) ? `# ${kind} ${stem} ` : line,
  );
}
