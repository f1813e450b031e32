// The errors and notices that a check finds in the files of a system.

/** An error in a system file, or a notice about it; line and column count from 1. */
export interface FileError {
  line: number;
  column: number;
  text: string;
  file?: string; // set if it is not the checked file
}

/** The answer to net.check. */
export interface Findings {
  errors: FileError[] | null;
  notices?: FileError[] | null; // what is no error, but may not be wanted; missing in older systems
}
