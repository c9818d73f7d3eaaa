import { z } from 'zod';

const fileSchema = z.object({
  /** Path below the page, such as `assets/index.js`. */
  name: z.string(),
  /** Media type. */
  type: z.string(),
  text: z.string(),
  /** The text, compressed with gzip. */
  gzip: z.base64(),
});

/** The built status page, as `tools/build/status-page.ts` writes it. */
export const builtPageSchema = z.object({
  files: z.array(fileSchema),
  /** Paths of the modules of packages in it. */
  modules: z.array(z.string()).default([]),
});

/** File of the built status page. */
export type BuiltPageFile = z.infer<typeof fileSchema>;
