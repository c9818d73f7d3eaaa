/** Bounds of a value that is not known exactly. */
export interface Range {
  readonly least: number;
  readonly most: number;
}
