import { z } from 'zod';
import { durationField, nonNegativeDurationField } from '../graphdb/settings-fields.ts';
import type { Millis } from '../kernel/time.ts';

/** Settings of the confirmation of statuses and of the detection of flapping. */
export interface TrackerSettings {
  /** Consecutive observations that confirm a status. */
  readonly confirm: number;
  /** Duration that confirms a status; 0 disables it. */
  readonly confirmFor: Millis;
  /** Time after which a replica that is missing from valid responses is dropped. */
  readonly forget: Millis;
  readonly flapping: FlappingSettings;
}

/** Settings of the detection of flapping, with hysteresis. */
export interface FlappingSettings {
  /** Number of observations in the window. */
  readonly window: number;
  /** Weighted share of changes at which it begins, and below which it ends. */
  readonly on: number;
  readonly off: number;
  /** Number of changes from and to `Online` in ten minutes at which it begins, however many observations there were. */
  readonly changes: number;
}

const share = z.number().gt(0).lte(1);

const flappingSection = z
  .strictObject({
    window: z.int().min(3).max(100).prefault(21).describe('Number of observations in the window.'),
    on: share.prefault(0.3).describe('Weighted share of status changes in the window at which flapping begins.'),
    off: share.prefault(0.25).describe('Weighted share of status changes below which flapping ends.'),
    changes: z
      .int()
      .min(2)
      .max(10_000)
      .prefault(8)
      .describe(
        'Number of changes from and to `Online` within ten minutes at which flapping begins as well. This flapping ends when the status is stable for longer than ten minutes divided by this number.',
      ),
  })
  .transform((given, context) => {
    if (given.off <= given.on) return given;
    context.issues.push({
      code: 'custom',
      message: 'is greater than `on`',
      path: ['off'],
      input: '',
    });
    return z.NEVER;
  })
  .prefault({})
  .describe('Detection of flapping service instances.');

/** The `tracker` section of the configuration. */
export const trackerSection = z
  .strictObject({
    confirm: z
      .int()
      .min(1)
      .max(100)
      .prefault(2)
      .describe('Number of consecutive poll results with a status that confirm the status.'),
    confirm_for: nonNegativeDurationField
      .prefault('0s')
      .describe('Duration after which a status is confirmed regardless of `confirm`; `0s` disables it.'),
    forget: durationField
      .prefault('24h')
      .describe('How long a service instance is kept after it disappears from successful poll results.'),
    flapping: flappingSection,
  })
  .transform(({ confirm_for: confirmFor, ...given }): TrackerSettings => ({ ...given, confirmFor }))
  .prefault({});
