import { createCipheriv, createDecipheriv, createHmac, createSecretKey, timingSafeEqual } from "node:crypto";
import { isNameOf, toDomainName } from "../../../core/mail/domainName.ts";

/** Translates the Message-IDs of a user's mail between the owner and the outside. */
export interface ThreadIds {
  /** Returns the id that the owner sees for an outside id. */
  readonly toOwner: (id: string) => string;
  /** Returns the id that others see for an owner's id; it does not reveal the owner's provider. */
  readonly toOutside: (id: string) => string;
}

const ivBytes = 16;
const maxIdLength = 400;

/** The id inside: from outside, of the owner, or too long and only hashed. */
type Kind = "o" | "i" | "h";

interface Inner {
  readonly kind: string;
  readonly id: string;
}

/** Returns the translation for a user. */
export type ThreadIdsOf = (userId: string) => ThreadIds;

const maxKnown = 10_000;

/**
 * Creates the translations. An id becomes its own deterministic encryption (a synthetic IV as in RFC 5297), so
 * nothing is stored and threads last as long as the key. Each user has separate keys.
 */
export const createThreadIds = (key: Uint8Array, maskDomain: string): ThreadIdsOf => {
  const known = new Map<string, ThreadIds>();
  return (userId) => {
    const ids = known.get(userId) ?? threadIdsOf(key, maskDomain, userId);
    if (known.size >= maxKnown) known.clear();
    known.set(userId, ids);
    return ids;
  };
};

const threadIdsOf = (key: Uint8Array, maskDomain: string, userId: string): ThreadIds => {
  const own = toDomainName(maskDomain);
  const derive = (purpose: string): Buffer =>
    createHmac("sha256", key).update(`thread ${purpose} ${userId}`).digest();
  const macKey = createSecretKey(derive("mac"));
  const cipherKey = createSecretKey(derive("cipher"));
  const ivOf = (text: string): Buffer =>
    createHmac("sha256", macKey).update(text).digest().subarray(0, ivBytes);

  const wrap = (kind: Kind, id: string): string => {
    const text = `${kind}${kind === "h" ? ivOf(id).toString("hex") : id}`;
    const iv = ivOf(text);
    const cipher = createCipheriv("aes-256-ctr", cipherKey, iv);
    const token = Buffer.concat([iv, cipher.update(text, "latin1"), cipher.final()]).toString("base64url");
    return `<${token}@${maskDomain}>`;
  };
  const wrapAny = (kind: Kind, id: string): string => wrap(id.length > maxIdLength ? "h" : kind, id);

  const unwrap = (id: string): Inner | null => {
    const [, token, domain = ""] = /^<([\w-]{23,900})@([^>]+)>$/.exec(id) ?? [];
    if (token === undefined || own === null || !isNameOf(domain, own)) return null;
    const bytes = Buffer.from(token, "base64url");
    const iv = bytes.subarray(0, ivBytes);
    const decipher = createDecipheriv("aes-256-ctr", cipherKey, iv);
    const text = Buffer.concat([decipher.update(bytes.subarray(ivBytes)), decipher.final()]).toString(
      "latin1",
    );
    return iv.length === ivBytes && timingSafeEqual(iv, ivOf(text))
      ? { kind: text.slice(0, 1), id: text.slice(1) }
      : null;
  };

  return {
    toOwner: (id) => {
      const inner = unwrap(id);
      return inner?.kind === "o" ? inner.id : wrapAny("i", id);
    },
    toOutside: (id) => {
      const inner = unwrap(id);
      if (inner?.kind === "i") return inner.id;
      return inner ? id : wrapAny("o", id);
    },
  };
};

const maxIds = 50;

/** Returns the Message-IDs in a field (RFC 5322, 3.6.4); of many, the first and the newest. */
export const messageIdsIn = (value: string): readonly string[] => {
  const all = value.replaceAll(/\s+/g, "").match(/<[\x21-\x3b\x3d\x3f-\x7e]{1,900}>/g) ?? [];
  return all.length <= maxIds ? all : [...all.slice(0, 1), ...all.slice(1 - maxIds)];
};

const idSeparator = "\r\n ";
/** Some servers refuse longer fields; the name and the end of the line are left room for. */
const maxReferences = 2_000;
const maxReferencesBytes = maxReferences - "References: \r\n".length;

/** Writes the ids of a References field, each on a line; of many, the first and the newest. */
export const writeReferences = ([first = "", ...others]: readonly string[]): string => {
  let from = others.length;
  let left = maxReferencesBytes - first.length;
  for (let at = others.length - 1; at >= 0; at -= 1) {
    left -= idSeparator.length + (others[at]?.length ?? 0);
    if (left < 0) break;
    from = at;
  }
  return [first, ...others.slice(from)].join(idSeparator);
};
