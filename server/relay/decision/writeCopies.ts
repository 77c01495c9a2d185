import type { KeptTrackers } from "../../../core/mailLog/logEntry.ts";
import type { Decision } from "../../../core/rules/engine/decision.ts";
import { contentOf, type OutgoingCopy, type SharedBody } from "../../delivery/outgoingCopy.ts";
import type { Evidence } from "../../proof/evidence.ts";
import type { MailCalendars } from "../calendars/forwardedCalendars.ts";
import type { AnswerFields, CopyDraft, TreatedFields, Treatment } from "../mailPart.ts";
import type { MailRoute } from "../mailRoute.ts";
import type { Notes } from "../notes.ts";
import { withoutTrackers } from "../trackers/removeTrackers.ts";
import type { RawMailWithHeader } from "./arrivedMail.ts";
import { createCalendarCopies, wholeOf } from "./calendarCopies.ts";
import { type HeaderChanges, prepareForwarding } from "./forwardedMail.ts";

type CopyBytes = Omit<OutgoingCopy, "recipient">;

/** The copies for the recipients of a mask. */
export interface WrittenCopy {
  /** Returns the same copy for all recipients, unless the mail has calendars. */
  readonly copyFor: (recipient: string) => CopyBytes;
  readonly keptTrackers: KeptTrackers | null;
  readonly removedTrackers: number;
  /** The notes of the treatments. */
  readonly notes: Notes;
}

/** The parts of a copy that differ from mask to mask. */
export interface CopyOfMask {
  readonly route: MailRoute;
  readonly decision: Decision;
  /** null for a mail without calendars, or where their answers need not go through the mask. */
  readonly calendars: MailCalendars | null;
  readonly isLikelySpam: boolean;
}

/** Writes the copies of a mask. */
export type WriteCopies = (copy: CopyOfMask) => Promise<WrittenCopy>;

type Forwarding = ReturnType<typeof prepareForwarding>;

interface TreatedCopy {
  readonly body: SharedBody;
  readonly fields: readonly TreatedFields[];
  readonly answer: AnswerFields | null;
  readonly notes: Notes;
}

type Treat = ReturnType<Treatment>;

/** Applies the treatments one after the other. */
const treat = async (treatments: readonly Treat[], draft: CopyDraft): Promise<TreatedCopy> => {
  let { body, replaced, unsubscribeUrl } = draft;
  const fields: TreatedFields[] = [];
  const notes = new Map<object, unknown>();
  let answer: AnswerFields | null = null;
  for (const one of treatments) {
    const given = one({ ...draft, body, replaced, unsubscribeUrl });
    const treated = given instanceof Promise ? await given : given;
    body = treated.body ?? body;
    unsubscribeUrl = treated.unsubscribeUrl ?? unsubscribeUrl;
    answer = treated.answer ?? answer;
    if (treated.fields) fields.push(treated.fields);
    if (treated.fields?.replaced) replaced = new Set([...replaced, ...treated.fields.replaced]);
    for (const [note, value] of treated.notes ?? []) notes.set(note, value);
  }
  return { body, fields, answer, notes };
};

const noNames: ReadonlySet<string> = new Set();

/** Creates the function that writes the copies of one mail for its masks, which share what does not differ. */
export const createWriteCopies = (
  { host, treatments }: { readonly host: string; readonly treatments: readonly Treatment[] },
  mail: RawMailWithHeader,
  evidence: Evidence | null,
): WriteCopies => {
  const { content, header, sender, traceLine, envelope, readAll } = mail;
  const mailHeader = { head: content.head, header, sender, envelopeSender: envelope.sender };
  const treatmentsOfMail = treatments.map((begin) => begin(mail));
  const prepared = new Map<boolean, Forwarding>();
  const prepareOnce = (acceptUnproven: boolean): Forwarding => {
    const forwarding =
      prepared.get(acceptUnproven) ??
      prepareForwarding(mailHeader, traceLine, { host, evidence, acceptUnproven });
    prepared.set(acceptUnproven, forwarding);
    return forwarding;
  };
  const received: SharedBody = { content, skip: header.end };
  const asItCame = { body: received, kept: null, removed: 0 };
  let clean: ReturnType<typeof removeTrackers> | undefined;
  const removeTrackers = async () => {
    const whole = await readAll();
    const { content: stripped, ...found } = withoutTrackers(whole, header);
    return {
      body: stripped === whole ? received : { content: contentOf(stripped), skip: header.end },
      ...found,
    };
  };
  const writeCalendars = createCalendarCopies(header);
  /** Returns the copies of a mask: of a mail with calendars, one for each recipient. */
  const writeForEach = async (
    body: SharedBody,
    changes: HeaderChanges,
    calendarNames: AnswerFields["calendarNames"] | null,
    writeHead: (changes: HeaderChanges) => Buffer,
  ): Promise<WrittenCopy["copyFor"]> => {
    if (!calendarNames) {
      const copy = { head: writeHead(changes), body };
      return () => copy;
    }
    const whole = await wholeOf(body, readAll);
    const known = new Map<string, CopyBytes>();
    return (recipient) => {
      const copy =
        known.get(recipient) ??
        writeCalendars(whole, body, calendarNames(recipient), (calendars) =>
          writeHead({ ...changes, calendars }),
        );
      known.set(recipient, copy);
      return copy;
    };
  };
  return async ({ route, decision, calendars, isLikelySpam }) => {
    const { maskEmail, acceptUnproven, nameStyle } = route;
    const { subject, tags } = decision;
    if (decision.removeTrackers) clean ??= removeTrackers();
    const written = decision.removeTrackers && clean ? await clean : asItCame;
    const { body, fields, answer, notes } = await treat(treatmentsOfMail, {
      route,
      evidence,
      body: written.body,
      replaced: noNames,
      people: calendars?.people ?? [],
      unsubscribeUrl: null,
    });
    const changes = { subject, tags, isLikelySpam, keptTrackers: written.kept, fields };
    const calendarNames = calendars === null ? null : (answer?.calendarNames ?? null);
    return {
      copyFor: await writeForEach(body, changes, calendarNames, (more) =>
        prepareOnce(acceptUnproven)(maskEmail, more, answer, nameStyle),
      ),
      keptTrackers: written.kept,
      removedTrackers: written.removed,
      notes,
    };
  };
};
