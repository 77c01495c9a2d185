interface Attachment {
  readonly type: string;
  readonly contentId: string;
  readonly content: Uint8Array;
}

/** Control characters, marks that turn the direction of text, and what paths are made of. */
const misleading = /[\u0000-\u001f\u007f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\\/:*?"<>|]/g;
const longestName = 120;

/** A name under which an attachment can be saved; `at` is its place in the mail. */
export const fileNameOf = (name: string, at: number): string => {
  const clean = name.replace(misleading, "_").replace(/^\.+/, "_").trim();
  if (clean === "") return `attachment-${at + 1}`;
  if (clean.length <= longestName) return clean;
  const ending = /\.[^.]{1,10}$/.exec(clean)?.[0] ?? "";
  return `${clean.slice(0, longestName - ending.length)}${ending}`;
};

const pictures = /^image\/(?:png|jpeg|gif|webp)$/;
/** Bytes: a larger one is there to download. */
const largestPicture = 5_000_000;
/** As many arguments as a call takes everywhere. */
const bytesAtOnce = 0x2000;

const base64 = (bytes: Uint8Array): string => {
  let text = "";
  for (let at = 0; at < bytes.length; at += bytesAtOnce)
    text += String.fromCharCode(...bytes.subarray(at, at + bytesAtOnce));
  return btoa(text);
};

/** The picture that came with a mail under this Content-ID, as a data: address; null where there is none. */
export const pictureIn = (attachments: readonly Attachment[], contentId: string): string | null => {
  const wanted = contentId.trim();
  const found = attachments.find((one) => one.contentId !== "" && one.contentId === wanted);
  if (!found || !pictures.test(found.type) || found.content.byteLength > largestPicture) return null;
  return `data:${found.type};base64,${base64(found.content)}`;
};
