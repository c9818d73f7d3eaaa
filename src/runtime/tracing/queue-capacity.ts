/** What the library takes where nothing is said. */
const usual = 2048;

/** How many spans may wait: what the library makes of `OTEL_BSP_MAX_QUEUE_SIZE`, since it counts nothing that it drops. */
export function queueCapacity(environment: Readonly<Record<string, string | undefined>>): number {
  const given = Number(environment.OTEL_BSP_MAX_QUEUE_SIZE?.trim() || usual);
  return given > 0 ? given : usual;
}
