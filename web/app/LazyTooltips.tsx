import { useEffect, useState } from "react";
import { createChunk } from "../loading/chunk.ts";
import { useChunk } from "../loading/Lazy.tsx";

const tooltipsChunk = createChunk(
  () => import("../ui/Tooltip.tsx"),
  (module) => module.Tooltips,
);

/** Loads the tooltips when a mouse or the Tab key is used for the first time; a touch screen has none. */
export const LazyTooltips = () => {
  const [isNeeded, setNeeded] = useState(false);
  const { part: Tooltips } = useChunk(tooltipsChunk, isNeeded);
  useEffect(() => {
    if (isNeeded) return;
    const need = (event: Event): void => {
      const isTouch = event instanceof PointerEvent && event.pointerType === "touch";
      const isOtherKey = event instanceof KeyboardEvent && event.key !== "Tab";
      if (!isTouch && !isOtherKey) setNeeded(true);
    };
    window.addEventListener("pointermove", need);
    window.addEventListener("keydown", need);
    return () => {
      window.removeEventListener("pointermove", need);
      window.removeEventListener("keydown", need);
    };
  }, [isNeeded]);
  return Tooltips ? <Tooltips /> : null;
};
