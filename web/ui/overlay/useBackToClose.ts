import { createContext, useContext, useEffect, useRef } from "react";
import { createLayers, type Layers } from "./layers.ts";

const layersOf = new WeakMap<Window, Layers>();

/** Returns the open layers of a window. */
export const layersIn = (window: Window): Layers => {
  const known = layersOf.get(window) ?? createLayers(window);
  layersOf.set(window, known);
  return known;
};

/** The address of the page while a dialog is open; without one the address stays. */
export const DialogAddress = createContext<string | undefined>(undefined);

/** Lets the back button close a dialog while it is open, as Escape does. */
export const useBackToClose = (isOpen: boolean, onClose: () => void): void => {
  const latest = useRef(onClose);
  const address = useContext(DialogAddress);
  useEffect(() => {
    latest.current = onClose;
  });
  useEffect(
    () => (isOpen ? layersIn(window).open(() => latest.current(), address) : undefined),
    [isOpen, address],
  );
};
