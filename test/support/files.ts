import { err, ok, type Result } from '../../src/kernel/result.ts';
import type { FilePresence, Files } from '../../src/kernel/system.ts';

/** Files in memory. Each write changes the stamp, as on a disk. */
export class FakeFiles implements Files {
  readonly #texts = new Map<string, { readonly text: string; readonly stamp: string }>();
  #writes = 0;
  /** Number of requested stamps. */
  stamps = 0;

  constructor(texts: Readonly<Record<string, string>> = {}) {
    for (const [path, text] of Object.entries(texts)) this.write(path, text);
  }

  write(path: string, text: string): void {
    this.#writes += 1;
    this.#texts.set(path, { text, stamp: String(this.#writes) });
  }

  remove(path: string): void {
    this.#texts.delete(path);
  }

  async readText(path: string): Promise<Result<string, string>> {
    const file = this.#texts.get(path);
    return file === undefined ? err(`cannot read '${path}': no such file`) : ok(file.text);
  }

  async stamp(path: string): Promise<string | undefined> {
    this.stamps += 1;
    return this.#texts.get(path)?.stamp;
  }

  async presence(path: string): Promise<FilePresence> {
    return this.#texts.has(path) ? 'present' : 'absent';
  }
}
