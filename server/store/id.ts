import type { Random } from "../../core/ports/random.ts";

const idBytes = 15;

/** A new id: 120 random bits as 20 characters that are safe in paths, file names and headers. */
export const newId = (random: Random): string => Buffer.from(random.bytes(idBytes)).toString("base64url");

/** Whether a text could be an id at all; what could not is not worth a question to the store. */
export const isId = (text: string): boolean => /^[\w-]{1,64}$/.test(text);
