import { z } from 'zod';
import { formatSize, parseSize } from '../kernel/size.ts';
import type { LimitSettings } from '../model/settings.ts';

const count = z.int().min(1);

/** Bounds of the configurable body size. */
const bodyBounds = { least: 1024, most: 2 ** 30 };
/** Bounds of the configurable memory. With the least one, a reply may have 8 MiB. */
const memoryBounds = { least: 2 ** 27, most: 2 ** 36 };

function sizeField({ least, most }: { readonly least: number; readonly most: number }) {
  return z
    .string()
    .transform((text, context) => {
      const bytes = parseSize(text);
      const inRange = bytes.ok && bytes.value >= least && bytes.value <= most;
      if (bytes.ok && inRange) return bytes.value;
      const message = bytes.ok ? `must be ${formatSize(least)} to ${formatSize(most)}` : bytes.error;
      context.issues.push({ code: 'custom', message, input: '' });
      return z.NEVER;
    })
    .meta({ title: 'size' });
}

/** Schema of the `limits` section. */
export const limitsSection = z
  .strictObject({
    series_per_family: count
      .prefault(20_000)
      .describe(
        'Maximum number of series of one metric family per cluster. Further series are dropped, logged and reported by the alert `series_dropped`. No limit drops service statuses, `graphdb_up` or `graphwarden_*`.',
      ),
    series_per_collector: count.prefault(150_000).describe('Maximum number of series of one collector on one node.'),
    series_per_page: count.prefault(300_000).describe('Maximum number of series on `/metrics`.'),
    label_value_bytes: z
      .int()
      .min(16)
      .prefault(256)
      .describe('Maximum length of a label value in bytes; longer values are truncated.'),
    instance_number: count
      .prefault(1000)
      .describe(
        'Largest valid partition or replica number of a service instance. Entries with larger numbers are implausible: they are counted, but not exposed.',
      ),
    body: sizeField(bodyBounds)
      .prefault('32MiB')
      .describe(
        'Maximum size of one reply of the server, both compressed and uncompressed; at most a sixteenth of `memory`. Many endpoints have lower limits.',
      ),
    memory: sizeField(memoryBounds)
      .optional()
      .describe(
        'Memory that the process may use. Long replies of all servers together may use three sixteenths of it; further long replies wait. Default: the limit of the cgroup or the memory of the host, at most 1 GiB.',
      )
      .meta({ examples: ['512MiB'] }),
  })
  .transform(
    (given): LimitSettings => ({
      seriesPerFamily: given.series_per_family,
      seriesPerCollector: given.series_per_collector,
      seriesPerPage: given.series_per_page,
      labelValueBytes: given.label_value_bytes,
      instanceNumber: given.instance_number,
      body: given.body,
      ...(given.memory === undefined ? {} : { memory: given.memory }),
    }),
  );
