import { useCallback, useEffect } from "react";
import { useApp } from "../react/useApp.ts";
import type { Chunk } from "./chunk.ts";
import { useChunk } from "./useChunk.ts";
import { type Opening, useOpening } from "./useOpening.ts";

/**
 * A window that is fetched when it is first opened. Where it cannot be had it is closed again and `failure` is shown;
 * the next opening asks again.
 */
export const useLateOpening = <A = void>(chunk: Chunk<unknown>, failure: string): Opening<A> => {
  const { toasts } = useApp();
  const opening = useOpening<A>();
  const { wanted, isOpen, open: begin, close } = opening;
  const { isFailed, retry } = useChunk(chunk, wanted !== null);

  useEffect(() => {
    if (!isFailed || !isOpen) return;
    close();
    toasts.show("error", failure);
  }, [isFailed, isOpen, close, toasts, failure]);

  const open = useCallback(
    (about: A) => {
      begin(about);
      if (isFailed) retry();
    },
    [begin, isFailed, retry],
  );
  return { ...opening, open };
};
