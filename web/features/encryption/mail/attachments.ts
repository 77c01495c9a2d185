interface Attachment {
  readonly type: string;
  readonly contentId: string;
  readonly content: Uint8Array;
}

/** Matches control characters, bidirectional marks, and characters that have a meaning in paths. */
const unsafeCharacters = /[\u0000-\u001f\u007f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\\/:*?"<>|]/g;
const maxNameCharacters = 120;

/** Returns a safe file name for an attachment; `at` is its index in the mail. */
export const toFileName = (name: string, index: number): string => {
  const clean = name.replace(unsafeCharacters, "_").replace(/^\.+/, "_").trim();
  if (clean === "") return `attachment-${index + 1}`;
  if (clean.length <= maxNameCharacters) return clean;
  const ending = /\.[^.]{1,10}$/.exec(clean)?.[0] ?? "";
  return `${clean.slice(0, maxNameCharacters - ending.length)}${ending}`;
};

const pictureTypes = /^image\/(?:png|jpeg|gif|webp)$/;
/** Bytes; a larger picture is offered as a download only. */
const maxPictureBytes = 5_000_000;
/** The number of arguments that every browser accepts in one call. */
const bytesPerCall = 0x2000;

const base64 = (bytes: Uint8Array): string => {
  let text = "";
  for (let at = 0; at < bytes.length; at += bytesPerCall)
    text += String.fromCharCode(...bytes.subarray(at, at + bytesPerCall));
  return btoa(text);
};

/** Returns the picture with this Content-ID as a data: URL; null when there is none that may be shown. */
export const findPicture = (attachments: readonly Attachment[], contentId: string): string | null => {
  const wanted = contentId.trim();
  const found = attachments.find((one) => one.contentId !== "" && one.contentId === wanted);
  if (!found || !pictureTypes.test(found.type) || found.content.byteLength > maxPictureBytes) return null;
  return `data:${found.type};base64,${base64(found.content)}`;
};
