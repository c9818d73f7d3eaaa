/** What JSON can say. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** A JSON Schema, or a part of one. */
export type JsonSchema = Readonly<Record<string, Json>>;

/** One value of the chart: its meaning, what it may be, and what it is when nobody says. */
export interface Leaf {
  readonly kind: 'leaf';
  readonly about: string;
  /** The word for it in the table of the README. */
  readonly type: string;
  readonly schema: JsonSchema;
  readonly fallback: Json;
}

/** Values that belong together. */
export interface Section {
  readonly kind: 'section';
  readonly about: string;
  readonly fields: Fields;
  /** Whether keys that are not listed pass: only where others put theirs there too. */
  readonly isOpen: boolean;
}

/** A list of mappings that all have the same keys. */
export interface Entries {
  readonly kind: 'entries';
  readonly about: string;
  readonly fields: Fields;
  readonly required: readonly string[];
  readonly fallback: readonly Json[];
}

/** A value of the chart, or several. */
export type Value = Leaf | Section | Entries;

/** Values by name, in the order in which they are printed. */
export type Fields = Readonly<Record<string, Value>>;

/** Any text; `''` stands for «not said». */
export function text(about: string, fallback = ''): Leaf {
  return { kind: 'leaf', about, type: 'text', schema: { type: 'string' }, fallback };
}

/** Yes or no. */
export function flag(about: string, fallback: boolean): Leaf {
  return { kind: 'leaf', about, type: 'true, false', schema: { type: 'boolean' }, fallback };
}

/** Yes, no, or what the cluster does by itself. */
export function maybe(about: string): Leaf {
  return { kind: 'leaf', about, type: 'true, false', schema: { type: ['boolean', 'null'] }, fallback: null };
}

/** A whole number. */
export function whole(about: string, fallback: number, least = 0): Leaf {
  return { kind: 'leaf', about, type: 'integer', schema: { type: 'integer', minimum: least }, fallback };
}

/** A number, whole or not. */
export function number(about: string, fallback: number): Leaf {
  return { kind: 'leaf', about, type: 'number', schema: { type: 'number', minimum: 0 }, fallback };
}

/** A TCP port. */
export function port(about: string, fallback: number): Leaf {
  return { kind: 'leaf', about, type: 'port', schema: { type: 'integer', minimum: 1, maximum: 65535 }, fallback };
}

/** One of a few words; the first is what holds when nobody says. */
export function choice(about: string, among: readonly [string, ...string[]]): Leaf {
  return { kind: 'leaf', about, type: among.join(', '), schema: { type: 'string', enum: among }, fallback: among[0] };
}

/** Words by name: labels, annotations. */
export function words(about: string, fallback: Readonly<Record<string, string>> = {}): Leaf {
  const schema = { type: 'object', additionalProperties: { type: 'string' } };
  return { kind: 'leaf', about, type: 'mapping of text', schema, fallback };
}

/** A list of texts. */
export function texts(about: string, fallback: readonly string[] = []): Leaf {
  return { kind: 'leaf', about, type: 'list of text', schema: { type: 'array', items: { type: 'string' } }, fallback };
}

/** A part of a Kubernetes object, passed on as it is. */
export function object(about: string, fallback: Readonly<Record<string, Json>> = {}): Leaf {
  return { kind: 'leaf', about, type: 'mapping', schema: { type: 'object' }, fallback };
}

/** A list of parts of Kubernetes objects, passed on as they are. */
export function objects(about: string, fallback: readonly Json[] = []): Leaf {
  const schema = { type: 'array', items: { type: 'object' } };
  return { kind: 'leaf', about, type: 'list of mappings', schema, fallback };
}

/** Values that belong together. */
export function section(about: string, fields: Fields): Section {
  return { kind: 'section', about, fields, isOpen: false };
}

/** A list of mappings. */
export function entries(
  about: string,
  required: readonly string[],
  fallback: readonly Json[],
  fields: Fields,
): Entries {
  return { kind: 'entries', about, required, fallback, fields };
}
