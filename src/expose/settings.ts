import { z } from 'zod';
import { maxDefaultMemory, shareOfReply } from '../kernel/reply-memory.ts';
import { formatSize, parseSize } from '../kernel/size.ts';
import type { UnlocatedProblem } from '../model/config-problem.ts';
import type { LimitSettings } from '../model/settings.ts';

const count = z.int().min(1);

/** Bounds of the configurable body size. */
const bodyBounds = { least: 1024, most: 2 ** 30 };
const defaultBody = '32MiB';
/** Bounds of the configurable memory. With the least one, a reply may have 8 MiB. */
const memoryBounds = { least: 2 ** 27, most: 2 ** 36 };

/** Value of `memory` for the limit of the cgroup or the memory of the host. */
const auto = 'auto';

function sizeField(bounds: SizeBounds) {
  return z
    .string()
    .transform((text, context) => parseSizeWithin(text, bounds, context))
    .meta({ title: 'size' });
}

interface SizeBounds {
  readonly least: number;
  readonly most: number;
}

function parseSizeWithin(text: string, { least, most }: SizeBounds, { issues }: Pick<z.RefinementCtx, 'issues'>) {
  const bytes = parseSize(text);
  if (bytes.ok && bytes.value >= least && bytes.value <= most) return bytes.value;
  const message = bytes.ok ? `must be ${formatSize(least)} to ${formatSize(most)}` : bytes.error;
  issues.push({ code: 'custom', message, input: '' });
  return z.NEVER;
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
      .prefault(defaultBody)
      .describe(
        'Maximum size of one reply of the server, both compressed and uncompressed; at most a sixteenth of `memory`. Many endpoints have lower limits.',
      ),
    memory: z
      .string()
      .transform((text, context) => (text === auto ? undefined : parseSizeWithin(text, memoryBounds, context)))
      .meta({ title: 'size or auto' })
      .prefault(auto)
      .describe(
        'Memory that the process may use. Long replies of all servers together may use three sixteenths of it; further long replies wait. `auto`: the limit of the cgroup or the memory of the host, at most 1 GiB.',
      )
      .meta({ examples: ['512MiB'] }),
  })
  .transform((given, { issues }): LimitSettings => {
    const { body, memory } = given;
    const largest = memory === undefined ? body : memory * shareOfReply;
    if (body > largest && formatSize(body) !== defaultBody) {
      const message = `must be at most ${formatSize(largest)}, a sixteenth of limits.memory`;
      issues.push({ code: 'custom', message, path: ['body'], input: '' });
    }
    return {
      seriesPerFamily: given.series_per_family,
      seriesPerCollector: given.series_per_collector,
      seriesPerPage: given.series_per_page,
      labelValueBytes: given.label_value_bytes,
      instanceNumber: given.instance_number,
      body,
      ...(memory === undefined ? {} : { memory }),
    };
  });

/** Finds a maximum reply that exceeds what the memory without a configured limit allows. */
export function reducedBody({ body, memory }: LimitSettings): readonly UnlocatedProblem[] {
  const largest = maxDefaultMemory * shareOfReply;
  if (memory !== undefined || body <= largest) return [];
  const message = `is reduced to ${formatSize(largest)} or less, a sixteenth of the memory`;
  const hint = `set limits.memory to ${formatSize(body / shareOfReply)}`;
  return [{ path: ['limits', 'body'], message, hint }];
}
