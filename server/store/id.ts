import type { Random } from "../../core/ports/random.ts";

const idBytes = 15;

/** Returns a new id: 120 random bits as 20 characters that are safe in paths, file names and headers. */
export const newId = (random: Random): string => Buffer.from(random.bytes(idBytes)).toString("base64url");

/** Returns whether a text has the form of an id, so that other texts need no query. */
export const isId = (text: string): boolean => /^[\w-]{1,64}$/.test(text);
