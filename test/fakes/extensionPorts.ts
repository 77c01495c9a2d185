import type { Ports } from "../../core/ports/ports.ts";
import type { ExtensionPorts } from "../../extension/connection/connection.ts";
import { createFakeTextStream } from "./fakeTextStream.ts";

/** Returns ports as parts of the extension get them: what they store is stored. */
export const toExtensionPorts = (ports: Ports, more: Partial<ExtensionPorts> = {}): ExtensionPorts => ({
  ...ports,
  isStored: async () => true,
  openTextStream: createFakeTextStream().open,
  ...more,
});
