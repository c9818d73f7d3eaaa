/** Fields of a protobuf message by number: bytes, or the bits of a number of any width. */
export type Fields = ReadonlyMap<number, readonly (Uint8Array | bigint)[]>;

/** Parses a message without its schema; throws if the bytes are not a message. */
export function fieldsOf(bytes: Uint8Array): Fields {
  const fields = new Map<number, (Uint8Array | bigint)[]>();
  let at = 0;
  const take = (length: number): Uint8Array => {
    if (at + length > bytes.length) throw new Error(`a field ends at ${at + length}, the message at ${bytes.length}`);
    at += length;
    return bytes.subarray(at - length, at);
  };
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const [byte = 0] = take(1);
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const fixed = (length: number): bigint => {
    return [...take(length)].reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n);
  };
  while (at < bytes.length) {
    const tag = Number(varint());
    const wire = tag & 7;
    const known = fields.get(tag >> 3) ?? [];
    fields.set(tag >> 3, known);
    if (wire === 0) known.push(varint());
    else if (wire === 1) known.push(fixed(8));
    else if (wire === 2) known.push(take(Number(varint())));
    else if (wire === 5) known.push(fixed(4));
    else throw new Error(`there is no wire type ${wire}`);
  }
  return fields;
}

/** Returns the messages in a field, repeated or not. */
export function messagesOf(fields: Fields, number: number): readonly Fields[] {
  return (fields.get(number) ?? []).filter((value) => value instanceof Uint8Array).map(fieldsOf);
}

/** Returns the numbers in a field. */
export function longsOf(fields: Fields, number: number): readonly bigint[] {
  return (fields.get(number) ?? []).filter((value) => typeof value === 'bigint');
}

/** Returns the text in a field; `''` if there is none. */
export function textOf(fields: Fields | undefined, number: number): string {
  const value = fields?.get(number)?.[0];
  return value instanceof Uint8Array ? new TextDecoder('utf-8', { fatal: true }).decode(value) : '';
}
