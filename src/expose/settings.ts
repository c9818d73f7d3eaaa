import { z } from 'zod';
import { formatSize, parseSize } from '../kernel/size.ts';
import type { LimitSettings } from '../model/settings.ts';

const count = z.int().min(1);

/** An answer larger than this is never kept in memory, whatever the configuration says. */
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

/** The `limits` section. */
export const limitsSection = z
  .strictObject({
    series_per_family: count.prefault(20_000).describe('Series of one family on the page; the rest is counted.'),
    series_per_collector: count.prefault(150_000).describe('Series of one collector and node.'),
    series_per_page: count.prefault(300_000).describe('Series of the whole page.'),
    label_value_bytes: z.int().min(16).prefault(256).describe('Longer label values are cut.'),
    body: sizeField.prefault('128MiB').describe('Bytes of one answer of the server, compressed and not.'),
  })
  .transform(
    (given): LimitSettings => ({
      seriesPerFamily: given.series_per_family,
      seriesPerCollector: given.series_per_collector,
      seriesPerPage: given.series_per_page,
      labelValueBytes: given.label_value_bytes,
      body: given.body,
    }),
  );
