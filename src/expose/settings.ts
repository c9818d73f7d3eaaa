import { z } from 'zod';
import { formatSize, parseSize } from '../kernel/size.ts';
import type { LimitSettings } from '../model/settings.ts';

const count = z.int().min(1);

/** Upper limit of the configurable body size. */
const largestBody = 2 ** 30;

const sizeField = z
  .string()
  .transform((text, context) => {
    const bytes = parseSize(text);
    const inRange = bytes.ok && bytes.value >= 1024 && bytes.value <= largestBody;
    if (bytes.ok && inRange) return bytes.value;
    const message = bytes.ok ? `must be 1KiB to ${formatSize(largestBody)}` : bytes.error;
    context.issues.push({ code: 'custom', message, input: '' });
    return z.NEVER;
  })
  .meta({ title: 'size' });

/** Schema of the `limits` section. */
export const limitsSection = z
  .strictObject({
    series_per_family: count
      .prefault(20_000)
      .describe(
        'Maximum series of one family of a cluster; the rest is dropped, logged and alerted (`series_dropped`). No limit drops service statuses, `graphdb_up` and `graphwarden_*`.',
      ),
    series_per_collector: count.prefault(150_000).describe('Maximum series of one collector and node.'),
    series_per_page: count.prefault(300_000).describe('Maximum series of the page.'),
    label_value_bytes: z
      .int()
      .min(16)
      .prefault(256)
      .describe('Maximum bytes of a label value; longer values are truncated.'),
    instance_number: count
      .prefault(1000)
      .describe(
        'Largest partition or replica number of a service instance; entries with larger numbers are implausible: not exposed, and counted.',
      ),
    body: sizeField
      .prefault('32MiB')
      .describe(
        'Maximum bytes of one reply of the server, compressed and uncompressed. Many endpoints have lower limits.',
      ),
  })
  .transform(
    (given): LimitSettings => ({
      seriesPerFamily: given.series_per_family,
      seriesPerCollector: given.series_per_collector,
      seriesPerPage: given.series_per_page,
      labelValueBytes: given.label_value_bytes,
      instanceNumber: given.instance_number,
      body: given.body,
    }),
  );
