import { z } from 'zod';
import { durationField } from '../graphdb/duration-field.ts';
import { formatSize, parseSize } from '../kernel/size.ts';
import type { Retention } from '../kernel/store.ts';

/** Below this, the database would throw away what it has just been given. */
const smallest = 16 * 2 ** 20;

const sizeField = z
  .string()
  .transform((text, context) => {
    const bytes = parseSize(text);
    if (bytes.ok && bytes.value >= smallest) return bytes.value;
    const message = bytes.ok ? `must be ${formatSize(smallest)} or more` : bytes.error;
    context.issues.push({ code: 'custom', message, input: '' });
    return z.NEVER;
  })
  .meta({ title: 'size' });

const retention = z
  .strictObject({
    transitions: durationField.prefault('400d').describe('How long changes of status are remembered.'),
    audit: durationField.prefault('400d').describe('How long it is remembered who did what.'),
    notifications: durationField.prefault('30d').describe('How long it is remembered who was told what.'),
    size: sizeField.prefault('2GiB').describe('How large the database may become; the oldest goes first.'),
  })
  .transform((given): Retention => given)
  .prefault({})
  .describe('How long and how much is kept in `state_dir`.');

/** Where the state is; one daemon at a time. */
export const stateDirField = z.string().min(1);

/** The `state` section: how long what is remembered through restarts is kept. */
export const stateSection = z.strictObject({ retention });
