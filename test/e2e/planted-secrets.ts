import { Buffer } from 'node:buffer';
import type { Random } from '../../src/kernel/system.ts';

/** Something personal in a url, and all forms in which it might show up elsewhere. */
export interface PlantedSecret {
  /** As it stands in the query string. */
  readonly written: string;
  readonly forms: readonly string[];
}

const notifications = 'abcdefghijklmnopqrstuvwxyz';

/** Draws one; no two are alike, and no part of them is an ordinary word. */
export function randomSecret(index: number, random: Random): PlantedSecret {
  const word = (length: number): string =>
    Array.from({ length }, () => notifications[Math.floor(random.next() * notifications.length)]).join('');
  const digits = (length: number): string =>
    Array.from({ length }, () => String(Math.floor(random.next() * 10))).join('');
  const kinds = [
    () => `${capital(word(8))} ${capital(word(9))}`,
    () => `${word(8)}.${word(9)}@${word(7)}.example`,
    () => `+4917${digits(10)}`,
    () => `DE${digits(20)}`,
    () => `4${digits(15)}`,
    () => `Ünal-${word(8)} Größe${digits(4)}`,
    () => `O'${word(9)} "${word(8)}"\n${word(8)}`,
    () => `<b>${word(9)}</b>{{${word(9)}}}`,
    () => `${digits(3)}-${digits(2)}-${digits(4)}-${word(6)}`,
    () => `/home/${word(9)}/${word(9)}.pdf?x=${digits(8)}`,
  ];
  const value = (kinds[index % kinds.length] ?? word.bind(undefined, 12))();
  const ways = [
    encodeURIComponent,
    (text: string) => encodeURIComponent(text).replaceAll('%20', '+'),
    (text: string) => Buffer.from(text).toString('base64url'),
    (text: string) => encodeURIComponent(encodeURIComponent(text)),
    (text: string) => encodeURIComponent(JSON.stringify({ customer: { name: text } })),
  ];
  const way = ways[Math.floor(index / kinds.length) % ways.length] ?? encodeURIComponent;
  const written = way(value);
  const forms = [value, written, encodeURIComponent(value), Buffer.from(value).toString('base64url')];
  return { written, forms: [...new Set([...forms, ...forms.map((form) => form.toLowerCase()), ...wordsOf(value)])] };
}

/** Also parts of it are personal. */
function wordsOf(value: string): readonly string[] {
  return value.split(/[^\p{L}\p{N}]+/u).filter((part) => part.length >= 8);
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
