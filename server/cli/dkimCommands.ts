import type { DkimRecord } from "../operator/dnsRecords.ts";
import type { Invocation } from "./command.ts";

/** Returns the DKIM records that are to be published. */
export const readDkimRecords = async (_invocation: Invocation): Promise<readonly DkimRecord[]> => [];
