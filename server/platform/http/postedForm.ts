import { once } from "node:events";
import type { Readable } from "node:stream";
import { Busboy } from "@fastify/busboy";
import { UseCaseError } from "../errors/useCaseError.ts";

/** The fields of a form that its reader wants; all others are dropped. */
export interface WantedFields {
  /** Short texts. */
  readonly texts: ReadonlySet<string>;
  /** Fields of any length, whose bytes are passed on as they come. */
  readonly contents: ReadonlySet<string>;
  /** Bytes of one content at most where it cannot be passed on as it comes. */
  readonly maxContentBytes: number;
  /** Takes bytes of a content; the next ones wait for a returned promise. */
  readonly onContent: (bytes: Buffer) => Promise<void> | null;
}

export interface PostedForm {
  readonly texts: ReadonlyMap<string, string>;
  /** The names of the contents that have come. */
  readonly contents: ReadonlySet<string>;
}

const maxTextBytes = 64 * 1024;
const maxParts = 100;
const maxPartHeaderBytes = 8_192;

const unreadable = (): UseCaseError => new UseCaseError("invalid", "The form could not be read.");
const isMultipart = (type: string): boolean => /^multipart\/form-data\b/i.test(type);

/** Bytes that were read as latin1 are UTF-8; a text that its part has declared to be something else is decoded already. */
const decodeText = (value: string): string =>
  /^[\0-\xff]*$/.test(value) ? Buffer.from(value, "latin1").toString("utf8") : value;

const openForm = (type: string, contents: ReadonlySet<string>, maxContentBytes: number) => {
  const multipart = isMultipart(type);
  try {
    return new Busboy({
      // Without its charset, by which bytes of a mail would be decoded.
      headers: { "content-type": multipart ? type : "application/x-www-form-urlencoded" },
      defCharset: "latin1",
      isPartAFile: (name) => name !== undefined && contents.has(name),
      limits: {
        fields: maxParts,
        parts: maxParts,
        fieldSize: multipart ? maxTextBytes : maxContentBytes,
        headerPairs: maxParts,
        headerSize: maxPartHeaderBytes,
      },
    });
  } catch {
    throw unreadable();
  }
};

/**
 * Reads a form (RFC 7578, or application/x-www-form-urlencoded) as it arrives, without a decoding that could change the bytes of
 * a content. Rejects for a form that cannot be read, that is cut off, or that has a wanted field twice.
 */
export const readPostedForm = async (
  type: string,
  body: AsyncIterable<Buffer>,
  { texts: wantedTexts, contents: wantedContents, maxContentBytes, onContent }: WantedFields,
): Promise<PostedForm> => {
  const texts = new Map<string, string>();
  const contents = new Set<string>();
  const passing: Promise<void>[] = [];
  const form = openForm(type, wantedContents, maxContentBytes);
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => {});
  const finished = once(form, "finish");
  finished.catch(() => {});
  const refuse = (error: unknown): void => failed.reject(error);

  const begin = (name: string): boolean => {
    if (contents.has(name) || texts.has(name)) refuse(unreadable());
    else if (wantedContents.has(name)) contents.add(name);
    return contents.has(name);
  };
  const passOn = async (file: Readable): Promise<void> => {
    for await (const bytes of file) await onContent(bytes as Buffer);
  };
  form.on("error", () => refuse(unreadable()));
  for (const limit of ["partsLimit", "fieldsLimit"] as const) form.on(limit, () => refuse(unreadable()));
  form.on("file", (name, file) => {
    if (!begin(name)) return void file.resume();
    const passed = passOn(file);
    passed.catch(() => refuse(unreadable()));
    passing.push(passed);
  });
  form.on("field", (name, value, isNameCut, isCut) => {
    if (isNameCut || !(wantedTexts.has(name) || wantedContents.has(name))) return;
    if (isCut || texts.has(name)) return refuse(unreadable());
    if (!wantedContents.has(name)) return void texts.set(name, decodeText(value));
    if (begin(name)) passing.push(onContent(Buffer.from(value, "latin1")) ?? Promise.resolve());
  });

  const over = new AbortController();
  const feed = async (): Promise<void> => {
    for await (const chunk of body) if (!form.write(chunk)) await once(form, "drain", over);
    form.end();
    await finished;
    await Promise.all(passing);
  };
  const fed = feed();
  fed.catch(() => {});
  try {
    await Promise.race([fed, failed.promise]);
  } finally {
    over.abort();
    form.destroy();
  }
  return { texts, contents };
};
