import type { Database, Db } from "../../platform/store/database.ts";
import type { JudgedMail, MailJudge, Opinion } from "../../relay/mailPart.ts";
import type { SenderLists } from "../senders/senderLists.ts";
import type { ReverseAddresses } from "./reverseAddresses.ts";

/** The contact of a mask with a correspondent: its owner has written to them, or only got mail from them. */
type Contact = "written-to" | "received-from";

/** Returns what mail a mask has exchanged with an address; null when it is no correspondent. */
const findContact = async (
  db: Db,
  reverseAddresses: Pick<ReverseAddresses, "idOf">,
  { maskId, address }: { readonly maskId: string; readonly address: string },
): Promise<Contact | null> => {
  const rows = await db
    .selectFrom("reverse_addresses")
    .where("mask_id", "=", maskId)
    .where("correspondent_hash", "=", reverseAddresses.idOf({ userId: "", maskId }, { name: "", address }))
    .select(["last_out_at as lastOutAt", "is_link as isLink"])
    .execute();
  if (rows.some(({ lastOutAt }) => lastOutAt !== null)) return "written-to";
  return rows.some(({ isLink }) => isLink === 0) ? "received-from" : null;
};

export interface SenderJudgeDeps {
  readonly database: Pick<Database, "db">;
  readonly senderLists: Pick<SenderLists, "find">;
  readonly reverseAddresses: Pick<ReverseAddresses, "idOf">;
}

/** Returns true for a sender who is not among those who may write to the mask. A correspondent has to be proven. */
const isUnknown = async (
  { database, reverseAddresses }: SenderJudgeDeps,
  { route: { senderMode, maskId }, mail: { sender }, isProven }: JudgedMail,
  listed: Opinion["listed"],
): Promise<boolean> => {
  if (senderMode === "all" || listed !== null) return false;
  if (senderMode === "listed" || !isProven) return true;
  const contact = await findContact(database.db, reverseAddresses, {
    maskId,
    address: sender?.address ?? "",
  });
  return senderMode === "contacts" ? contact === null : contact !== "written-to";
};

/** Creates the judge of senders: by the lists of a mask, and by whom its owner lets write to it. */
export const createSenderJudge =
  (deps: SenderJudgeDeps): MailJudge =>
  async (judged) => {
    const { route, mail, isProven } = judged;
    const { maskId, hasSenderLists, senderMode } = route;
    const named = { from: mail.sender?.address ?? "", envelope: mail.envelope.sender, isProven };
    const listed = hasSenderLists ? await deps.senderLists.find(deps.database.db, maskId, named) : null;
    if (listed === "block") return { listed, verdict: { kind: "refuse", by: "blocked-sender" } };
    if (listed === "allow") return { listed, verdict: { kind: "allow" } };
    if (!(await isUnknown(deps, judged, listed))) return { listed, verdict: null };
    return senderMode === "approve"
      ? { listed, verdict: { kind: "hold", reason: "unknown" } }
      : { listed, verdict: { kind: "refuse", by: "unknown-sender" } };
  };
