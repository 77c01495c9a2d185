import { setTimeout } from "node:timers/promises";

/** Lets real time pass. Only for tests of what measures it: the system's clock, and the timers of a browser. */
export const letPass = (ms: number): Promise<void> => setTimeout(ms);
