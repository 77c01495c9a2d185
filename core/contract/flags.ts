import type { ClientConfiguration } from "./configuration.ts";

/** What can be switched on and off, as it stands where a server says nothing (OB2). */
const defaults = {
  websockets: true,
  payments: false,
  encryption: true,
  developmentMode: false,
  performanceTracking: true,
};

/** The flags of a configuration; `mockData` is off whatever a server says: nothing here is made up (D11). */
export const flagsOf = ({ flags }: ClientConfiguration): Readonly<typeof defaults & { mockData: false }> => ({
  ...defaults,
  ...flags,
  mockData: false,
});
