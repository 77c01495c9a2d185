import { useEffect, useRef } from "react";
import { createLayers, type Layers } from "./layers.ts";

const layersOf = new WeakMap<Window, Layers>();

const layersIn = (window: Window): Layers => {
  const known = layersOf.get(window) ?? createLayers(window);
  layersOf.set(window, known);
  return known;
};

/** Lets the back button close a dialog while it is open, as Escape does. */
export const useBackToClose = (isOpen: boolean, onClose: () => void): void => {
  const latest = useRef(onClose);
  useEffect(() => {
    latest.current = onClose;
  });
  useEffect(() => (isOpen ? layersIn(window).open(() => latest.current()) : undefined), [isOpen]);
};
