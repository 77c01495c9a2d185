import { useEffect } from "react";
import { createChunk } from "../../loading/chunk.ts";
import { useChunk } from "../../loading/Lazy.tsx";
import { entryState } from "../../ui/overlay/layers.ts";
import type { PressedKey, RunKey } from "./Commands.tsx";

const commandsChunk = createChunk(
  () => import("./Commands.tsx"),
  (module) => module.Commands,
);

/** The page itself is loaded first. */
const prefetchAfterMs = 4_000;

/** The single keys that do something; `Commands` says what. */
const singleKeys = "n/?rsvgjk";

const writable =
  'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable], [role="menu"]';

/** Returns the key of an event that does something here: none while the user types or a dialog is open. */
const keyOf = (event: KeyboardEvent): string | null => {
  const key = event.key.toLowerCase();
  if ((event.ctrlKey || event.metaKey) && !event.altKey && key === "k") return "palette";
  const isElsewhere =
    event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.repeat;
  const isTyping = event.target instanceof Element && event.target.closest(writable) !== null;
  if (isElsewhere || isTyping || entryState(window).layers) return null;
  return key.length === 1 && singleKeys.includes(key) ? key : null;
};

interface KeysProps {
  /** The last key, or the last thing that was asked for by other means; null for none yet. */
  readonly pressed: PressedKey | null;
  readonly onPress: RunKey;
}

/** Listens to the keys that work on every screen; what they do is loaded after the page. */
export const Keys = ({ pressed, onPress }: KeysProps) => {
  const { part: Commands, isFailed } = useChunk(commandsChunk, pressed !== null);
  const isLoading = pressed !== null && Commands === undefined && !isFailed;
  // The first key is to act at once: what is typed after "/" belongs to the search.
  useEffect(() => {
    const timer = setTimeout(commandsChunk.prefetch, prefetchAfterMs);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      const key = keyOf(event);
      if (key === null) return;
      event.preventDefault();
      // What is typed behind the first key belongs to what that opens.
      if (!isLoading) onPress(key);
    };
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, [onPress, isLoading]);
  return Commands && pressed ? <Commands pressed={pressed} /> : null;
};
