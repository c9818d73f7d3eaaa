import { z } from 'zod';

/** A finite number; some builds quote it. */
export const measure = z.union([
  z.number(),
  z
    .string()
    .regex(/^-?\d+(\.\d+)?([eE][+-]?\d+)?$/)
    .transform(Number)
    .refine(Number.isFinite),
]);

/** A number that the server leaves out when it is 0. */
export const amount = measure.nullish().transform((value) => value ?? 0);

/** A text that the server leaves out when it is empty; numbers are taken as written. */
export const text = z
  .union([z.string(), z.number().transform(String)])
  .nullish()
  .transform((value) => value ?? '');

/** An int64 as decimal text with all its digits; `''` where absent. */
export const digits = z
  .union([z.string().regex(/^-?\d{1,20}$/), z.int().transform(String)])
  .nullish()
  .transform((value) => value ?? '');

/** A partition or replica: 0 and absent both mean that the service has none. */
export const ordinal = text.transform((value) => (value === '0' ? '' : value));

/** A verdict as boolean or as its word. */
export const verdict = z.union([z.boolean(), z.enum(['true', 'false']).transform((word) => word === 'true')]);

/** A list as it came: it may be long, so its entries are looked at later, one by one. */
export const list = z.custom<readonly unknown[]>((value) => Array.isArray(value));

/** `{}` where a member that holds further members is left out. */
export function inner<Shape extends z.ZodRawShape>(shape: Shape): z.ZodPreprocess<z.ZodObject<Shape>> {
  return z.preprocess((value) => value ?? {}, z.object(shape));
}

/** Reads one entry of a list; undefined for an odd one. */
export function entry<Schema extends z.ZodType>(schema: Schema): (value: unknown) => z.output<Schema> | undefined {
  return (value) => {
    const read = schema.safeParse(value);
    return read.success ? read.data : undefined;
  };
}
