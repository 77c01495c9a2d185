import * as E from "fp-ts/lib/Either.js";
import type { TextCodec } from "./store.ts";

/**
 * Creates a decoder that returns the same value as long as the stored text is the same, as what a screen shows has to; null
 * for a text that cannot be decoded.
 */
export const decodeChanged = <A>(codec: TextCodec<A>): ((text: string | null) => A | null) => {
  let last: { readonly text: string | null; readonly value: A | null } = { text: null, value: null };
  return (text) => {
    if (text !== last.text) last = { text, value: E.getOrElse((): A | null => null)(codec.decode(text)) };
    return last.value;
  };
};
