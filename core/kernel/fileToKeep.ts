/** A file for the user to keep. */
export interface FileToKeep {
  readonly name: string;
  /** As in "application/json". */
  readonly type: string;
  readonly content: string;
}
