import { err, ok, type Result } from '../../src/kernel/result.ts';
import type { LineFiles } from '../../src/kernel/system.ts';
import type { Clock } from '../../src/kernel/time.ts';

/** Files of the folder `/state/recordings` in memory, whose writes a test can let fail. */
export interface MemoryLineFiles extends LineFiles {
  /** Lines by path in the folder. */
  readonly contents: Map<string, string[]>;
  /** Lines of all files, in the order of the names. */
  lines(): readonly string[];
  /** Result of writes, possibly delayed; undefined if they succeed immediately. */
  write: (() => Promise<Result<void, string>>) | undefined;
}

/** Creates an empty folder. */
export function memoryLineFiles(clock: Clock): MemoryLineFiles {
  const contents = new Map<string, string[]>();
  const times = new Map<string, number>();
  const files: MemoryLineFiles = {
    contents,
    lines: () => namesIn(contents).flatMap((name) => contents.get(name) ?? []),
    write: undefined,
    createFolder: async () => ok(undefined),
    async list(folder) {
      const own = namesIn(contents).filter((name) => `/state/recordings/${name}`.lastIndexOf('/') === folder.length);
      return ok(
        own.map((path) => {
          const size = `${contents.get(path)?.join('\n')}\n`.length;
          return { name: path.slice(path.lastIndexOf('/') + 1), size, modifiedAt: times.get(path) ?? 0 };
        }),
      );
    },
    async remove(path) {
      contents.delete(nameOf(path));
      return ok(undefined);
    },
    async create(path) {
      const lines: string[] = [];
      if (contents.has(nameOf(path))) return err('exists');
      contents.set(nameOf(path), lines);
      return ok({
        async write(line) {
          const done = (await files.write?.()) ?? ok(undefined);
          if (done.ok) lines.push(line);
          times.set(nameOf(path), clock.now().wall);
          return done;
        },
        close: async () => ok(undefined),
      });
    },
    async *read(path) {
      for (const text of contents.get(nameOf(path)) ?? []) yield ok({ text, isWhole: true });
    },
  };
  return files;
}

function namesIn(contents: ReadonlyMap<string, unknown>): readonly string[] {
  return [...contents.keys()].toSorted((one, other) => (one < other ? -1 : 1));
}

function nameOf(path: string): string {
  return path.replace(/^.*\/recordings\//, '');
}
