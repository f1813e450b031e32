// Boxes of the net that were placed by hand, as the console keeps them.
/** The boxes of one of a system's files that were placed by hand. */
export interface FileLayout {
  file: string;
  /** path of the layout relative to the main file's folder */
  name: string;
  groups: string[];
  /** [x, y] by name in the file, in px from the corner of the group's contents */
  boxes: Record<string, [x: number, y: number]>;
  /** why the layout cannot be read */
  problem?: string;
  /** "absent": there is no layout yet */
  version: string;
}
