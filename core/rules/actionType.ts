import * as t from "io-ts";
import { isStorable, such } from "../contract/text.ts";
import { emailAddress } from "../mail/emailAddress.ts";

/** One thing that may be said about an action: how it is entered, and what is accepted. */
interface Param<A extends string | boolean> {
  readonly label: string;
  readonly input: "line" | "text" | "address" | "flag";
  readonly initial: A;
  readonly codec: t.Type<A, A, unknown>;
}

const flag = (label: string, initial: boolean): Param<boolean> => ({
  label,
  input: "flag",
  initial,
  codec: new t.Type(
    "yes or no",
    t.boolean.is,
    (u, context) => t.boolean.validate(u ?? initial, context),
    (value) => value,
  ),
});

/** Text as typed, or none; `missing` is said when it may not be left out. */
const words = (longest: number, lines: boolean, missing: string | null): t.Type<string, string, unknown> => {
  const typed: t.Type<string, string, unknown> = new t.Type(
    "text",
    t.string.is,
    (u, context) => {
      const given = u ?? "";
      return typeof given === "string"
        ? t.success(given.trim())
        : t.failure(u, context, missing ?? "Enter text");
    },
    (value) => value,
  );
  const isPlain = (text: string): boolean => isStorable(text) && (lines || !/\p{Cc}/u.test(text));
  return such(
    such(
      such(typed, (text) => missing === null || text !== "", missing ?? ""),
      isPlain,
      lines ? "Please remove characters that cannot be stored" : "Please write this on one line",
    ),
    (text) => text.length <= longest,
    `Please write at most ${longest} characters`,
  );
};

const line = (label: string, longest: number, missing: string | null): Param<string> => ({
  label,
  input: "line",
  initial: "",
  codec: words(longest, false, missing),
});

const text = (label: string, longest: number, missing: string | null): Param<string> => ({
  label,
  input: "text",
  initial: "",
  codec: words(longest, true, missing),
});

const address = (label: string): Param<string> => ({
  label,
  input: "address",
  initial: "",
  codec: emailAddress({
    required: "Enter the address to forward to",
    invalid: "Please enter a valid email address",
  }) as t.Type<string, string, unknown>,
});

/** Every action and what is said about it (RU4, D32), in the editor's order. */
const actionEntries = {
  block: { label: "Block", params: { silentBlock: flag("Without telling the sender", false) } },
  forward: {
    label: "Forward elsewhere",
    params: { email: address("To"), immediate: flag("At once, not in the hourly batch", true) },
  },
  tag: { label: "Tag", params: { tag: line("Tag", 50, "Enter the tag") } },
  notify: { label: "Notify me", params: { message: line("Message", 200, null) } },
  "auto-reply": {
    label: "Answer",
    params: {
      subject: line("Subject", 200, null),
      message: text("Message", 5_000, "Enter the answer"),
    },
  },
  archive: { label: "Archive", params: { markAsRead: flag("Mark as read", false) } },
  modify: {
    label: "Change the mail",
    params: {
      subjectPrefix: line("Put in front of the subject", 50, null),
      removeTrackers: flag("Remove trackers", false),
    },
  },
} as const;

type Entries = typeof actionEntries;

/** What a rule does with a mail. */
export type ActionType = keyof Entries;

/** Every action type, in the editor's order. */
export const actionTypes = Object.keys(actionEntries) as readonly ActionType[];

export const isActionType = (u: unknown): u is ActionType =>
  typeof u === "string" && Object.hasOwn(actionEntries, u);

/** What is said about an action of this type. */
export type ParamsOf<T extends ActionType> = {
  readonly [P in keyof Entries[T]["params"]]: Entries[T]["params"][P] extends Param<infer A> ? A : never;
};

interface ActionEntry {
  /** In the select. */
  readonly label: string;
  /** By name, in the editor's order. */
  readonly params: Readonly<Record<string, Param<string> | Param<boolean>>>;
}

/** How the editor speaks of an action, and what is said about it there. */
export const actionEntry = (type: ActionType): ActionEntry => actionEntries[type];
