import * as t from "io-ts";
import { isStorable, refined } from "../../api/textCodecs.ts";
import { emailAddress } from "../../mail/emailAddress.ts";

/** One parameter of an action: how it is entered, and which values are valid. */
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

/** Decodes trimmed text of limited length; `missing` is the message when it is required, null when optional. */
const textCodec = (
  maxLength: number,
  isMultiline: boolean,
  missingMessage: string | null,
): t.Type<string, string, unknown> => {
  const trimmed: t.Type<string, string, unknown> = new t.Type(
    "text",
    t.string.is,
    (u, context) => {
      const input = u ?? "";
      return typeof input === "string"
        ? t.success(input.trim())
        : t.failure(u, context, missingMessage ?? "Enter text");
    },
    (value) => value,
  );
  const isPlain = (text: string): boolean => isStorable(text) && (isMultiline || !/\p{Cc}/u.test(text));
  return refined(
    refined(
      refined(trimmed, (text) => missingMessage === null || text !== "", missingMessage ?? ""),
      isPlain,
      isMultiline ? "Remove characters that cannot be stored" : "Write this on one line",
    ),
    (text) => text.length <= maxLength,
    `Write at most ${maxLength} characters`,
  );
};

const line = (label: string, maxLength: number, missingMessage: string | null): Param<string> => ({
  label,
  input: "line",
  initial: "",
  codec: textCodec(maxLength, false, missingMessage),
});

const text = (label: string, maxLength: number, missingMessage: string | null): Param<string> => ({
  label,
  input: "text",
  initial: "",
  codec: textCodec(maxLength, true, missingMessage),
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

/** Every action type with its parameters (RU4, D32), in the order of the editor. */
const actionEntries = {
  block: { label: "Block", params: { silentBlock: flag("Without telling the sender", false) } },
  hold: { label: "Hold for my decision", params: {} },
  forward: {
    label: "Forward elsewhere",
    params: {
      email: address("To"),
      immediate: flag("At once, not in the hourly batch", true),
      daily: flag("In a batch once a day, not every hour", false),
    },
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
    label: "Change the email",
    params: {
      subjectPrefix: line("Put in front of the subject", 50, null),
      removeTrackers: flag("Remove trackers", false),
    },
  },
} as const;

type Entries = typeof actionEntries;

export type ActionType = keyof Entries;

/** Every action type, in the order of the editor. */
export const actionTypes = Object.keys(actionEntries) as readonly ActionType[];

export const isActionType = (u: unknown): u is ActionType =>
  typeof u === "string" && Object.hasOwn(actionEntries, u);

/** The parameters of an action of this type. */
export type ParamsOf<T extends ActionType> = {
  readonly [P in keyof Entries[T]["params"]]: Entries[T]["params"][P] extends Param<infer A> ? A : never;
};

interface ActionEntry {
  readonly label: string;
  /** The parameters by name, in the order of the editor. */
  readonly params: Readonly<Record<string, Param<string> | Param<boolean>>>;
}

/** Returns the label and the parameters of an action type. */
export const actionEntry = (type: ActionType): ActionEntry => actionEntries[type];
