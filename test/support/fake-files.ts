import { err, ok, type Result } from '../../src/kernel/result.ts';
import type { FilePresence, Files } from '../../src/kernel/system.ts';

/** Files in memory, with a stamp that changes with each write. */
export class FakeFiles implements Files {
  /** Paths of the files that were read, in order. */
  readonly reads: string[] = [];
  readonly #texts = new Map<string, { readonly text: string; readonly stamp: string }>();
  #writes = 0;

  constructor(texts: Readonly<Record<string, string>> = {}) {
    for (const [path, text] of Object.entries(texts)) this.write(path, text);
  }

  write(path: string, text: string): void {
    this.#writes += 1;
    this.#texts.set(path, { text, stamp: String(this.#writes) });
  }

  /** Writes a file without a new stamp, like a change within the time resolution of the file system. */
  writeUnnoticed(path: string, text: string): void {
    this.#texts.set(path, { text, stamp: this.#texts.get(path)?.stamp ?? '0' });
  }

  remove(path: string): void {
    this.#texts.delete(path);
  }

  async readText(path: string): Promise<Result<string, string>> {
    this.reads.push(path);
    const file = this.#texts.get(path);
    return file === undefined ? err(`cannot read '${path}': no such file`) : ok(file.text);
  }

  async stamp(path: string): Promise<string | undefined> {
    return this.#texts.get(path)?.stamp;
  }

  async presence(path: string): Promise<FilePresence> {
    return this.#texts.has(path) ? 'present' : 'absent';
  }
}
