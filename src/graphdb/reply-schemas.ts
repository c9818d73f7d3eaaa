import { z } from 'zod';

/** A finite number; some builds quote it. */
export const numberSchema = z.union([
  z.number(),
  z
    .string()
    .regex(/^-?\d+(\.\d+)?([eE][+-]?\d+)?$/)
    .transform(Number)
    .refine(Number.isFinite),
]);

/** Number that the server omits when it is 0. */
export const numberOrZero = numberSchema.nullish().transform((value) => value ?? 0);

/** Text that the server omits when it is empty; numbers are kept as written. */
export const textOrEmpty = z
  .union([z.string(), z.number().transform(String)])
  .nullish()
  .transform((value) => value ?? '');

/** An int64 as decimal text with all its digits; `''` where absent. */
export const int64Text = z
  .union([z.string().regex(/^-?\d{1,20}$/), z.int().transform(String)])
  .nullish()
  .transform((value) => value ?? '');

/** A partition or replica: 0 and absent both mean that the service has none. */
export const partitionText = textOrEmpty.transform((value) => (value === '0' ? '' : value));

/** Boolean, or its word as text. */
export const booleanSchema = z.union([z.boolean(), z.enum(['true', 'false']).transform((word) => word === 'true')]);

/** Unvalidated list. Lists can be long, so their entries are validated later, one by one. */
export const rawList = z.custom<readonly unknown[]>((value) => Array.isArray(value));

/** Object schema that reads a missing object as `{}`. */
export function objectOrEmpty<Shape extends z.ZodRawShape>(shape: Shape): z.ZodPreprocess<z.ZodObject<Shape>> {
  return z.preprocess((value) => value ?? {}, z.object(shape));
}

/** Parses one entry of a list; undefined for an invalid one. */
export function parserOf<Schema extends z.ZodType>(schema: Schema): (value: unknown) => z.output<Schema> | undefined {
  return (value) => {
    const read = schema.safeParse(value);
    return read.success ? read.data : undefined;
  };
}
