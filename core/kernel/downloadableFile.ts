/** A file that is offered to the user as a download. */
export interface DownloadableFile {
  readonly name: string;
  /** The media type, as in "application/json". */
  readonly type: string;
  readonly content: string;
}
