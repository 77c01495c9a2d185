import { useContext } from "react";
import { JourneyContext, type Place } from "./place.ts";

/** Leads to the place where something is done: its tab, and there to its section. */
export const useGo = (): ((place: Place) => void) => useContext(JourneyContext).go;
