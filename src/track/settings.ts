import { z } from 'zod';
import { durationField, holdField } from '../graphdb/duration-field.ts';
import type { Millis } from '../kernel/time.ts';

/** When what was observed counts as so, and when a change counts as one too many. */
export interface TrackerSettings {
  /** Readings that have to show a status before it is hard. */
  readonly confirm: number;
  /** A status that has lasted this long is hard too; 0 leaves it to the readings. */
  readonly hold: Millis;
  /** How long a replica that is missing from good answers is remembered. */
  readonly forget: Millis;
  readonly flapping: FlappingSettings;
}

/** Two thresholds, so that a replica at the edge of one does not flap between flapping and not. */
export interface FlappingSettings {
  /** Observations that are looked at. */
  readonly window: number;
  /** Weighted share of changes at which it begins, and below which it ends. */
  readonly on: number;
  readonly off: number;
}

const share = z.number().gt(0).lte(1);

const flappingSection = z
  .strictObject({
    window: z.int().min(3).max(100).prefault(21).describe('Observations that are looked at.'),
    on: share.prefault(0.3).describe('Weighted share of changes among them at which flapping begins.'),
    off: share.prefault(0.25).describe('Share below which it ends.'),
  })
  .transform((given, context) => {
    if (given.off <= given.on) return given;
    context.issues.push({
      code: 'custom',
      message: 'is above the share at which flapping begins',
      path: ['off'],
      input: '',
    });
    return z.NEVER;
  })
  .prefault({})
  .describe('When a service instance counts as flapping.');

/** The `tracker` section of the configuration. */
export const trackerSection = z
  .strictObject({
    confirm: z
      .int()
      .min(1)
      .max(100)
      .prefault(2)
      .describe('Readings that have to show a status before it counts as confirmed.'),
    hold: holdField
      .prefault('0s')
      .describe('A status that has lasted this long counts as confirmed too; 0s: only readings count.'),
    forget: durationField
      .prefault('24h')
      .describe('How long a service instance that is missing from good answers is remembered.'),
    flapping: flappingSection,
  })
  .prefault({});
