import type { Route } from "../store/routes.ts";
import type { Passage } from "./passage.ts";

/**
 * Makes of a mail what may be kept and sent for its owner, right before it is queued. When it rejects, nothing of the
 * mail is taken and its sender tries again.
 */
export type EncryptMail = (content: Uint8Array, route: Route) => Promise<Uint8Array>;

/** Mail goes on as it is. */
export const inTheClear: EncryptMail = async (content) => content;

/** Encrypts all that a passage would write of the mail: each copy, those of the hourly mail and the archived one. */
export const encryptCopies = async (encryptMail: EncryptMail, passage: Passage): Promise<Passage> => {
  const { route, copies, digest, archive } = passage;
  const encrypted = new Map<Uint8Array, Promise<Uint8Array>>();
  const once = (content: Uint8Array): Promise<Uint8Array> => {
    const known = encrypted.get(content) ?? encryptMail(content, route);
    encrypted.set(content, known);
    return known;
  };
  const all = <A extends { readonly content: Uint8Array }>(list: readonly A[]): Promise<A[]> =>
    Promise.all(list.map(async (one) => ({ ...one, content: await once(one.content) })));
  const [kept = null] = await all(archive ? [archive] : []);
  return { ...passage, copies: await all(copies), digest: await all(digest), archive: kept };
};
