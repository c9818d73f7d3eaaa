import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** Unit of extension: one file, one constant, one line in `all.ts`, one test. */
interface Unit {
  readonly name: string;
  readonly about: string;
}

/** One kind of unit: its folder below `src`, its list, and the tests that each unit must pass. */
export interface UnitKind<Kind extends Unit> {
  readonly kind: string;
  readonly folder: string;
  readonly units: readonly Kind[];
  readonly suite: (unit: Kind) => void;
}

/** Runs the common tests and the conformance suite of every unit of a kind. */
export function conformanceTests<Kind extends Unit>({ kind, folder, units, suite }: UnitKind<Kind>): void {
  describe(kind, () => {
    it('lists each unit once', () => {
      const names = units.map(({ name }) => name);
      expect(new Set(names).size).toBe(names.length);
    });

    describe.each(units.map((unit) => [unit.name, unit] as const))('%s', (name, unit) => {
      it('has a file of its name, with a test', () => {
        const file = `${folder}/${name.replaceAll(/[_ ]/g, '-')}`;
        const paths = [`src/${file}.ts`, `test/${file}.test.ts`];
        expect(paths.filter((path) => !existsSync(path))).toEqual([]);
      });

      it('has a description', () => {
        expect(unit.about).toMatch(/^\S.*\S$/s);
      });

      suite(unit);
    });
  });
}
