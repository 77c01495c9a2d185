import { createClassifier } from "../../../../core/insights/classification/classifier.ts";
import { traitsOf } from "../../../../core/insights/classification/mailFeatures.ts";

/** A mail of the generated set, with its expected result. */
export interface GeneratedMail {
  readonly mask: number;
  readonly domain: string;
  readonly content: string;
  readonly category: string;
  /** Expected effects of the mask's rules, computed without the rule engine. */
  readonly tags: readonly string[];
  readonly outcome: "forwarded" | "blocked" | "archived" | "dropped" | "digest";
  readonly reason: string | null;
  readonly rules: readonly string[];
  readonly actions: readonly string[];
}

const subjects = [
  "Your order 4711 has shipped",
  "Flash sale: 50 % off everything today",
  "Weekly digest: ten stories you missed",
  "Security alert: new sign-in to your account",
  "Lunch on Friday?",
  "Anna commented on your photo",
  "Invoice 2026-11 is ready",
  "Last chance! Coupons inside",
];
const lists = [
  "",
  "List-Unsubscribe: <https://lists.example/u>\r\n",
  "List-Id: <news.lists.example>\r\nPrecedence: bulk\r\n",
];

const classify = createClassifier();

const headersOf = (from: string, list: string) => [
  { name: "from", value: from },
  ...list
    .split("\r\n")
    .filter((line) => line !== "")
    .map((line) => {
      const [name = "", value = ""] = line.split(/: (.*)/s);
      return { name: name.toLowerCase(), value };
    }),
];

/**
 * Rules by the number of the mask. 0: none. 1: tags orders. 2: blocks sales silently. 3: archives digests and tags
 * invoices twice. 4: adds sales to the hourly mail.
 */
export const rulesOfMask = [
  [],
  [["order", "contains", "subject", "order", [{ type: "tag", params: { tag: "Orders" } }]]],
  [["sale", "contains", "subject", "sale", [{ type: "block", params: { silentBlock: true } }]]],
  [
    ["weekly", "contains", "subject", "digest", [{ type: "archive", params: { markAsRead: false } }]],
    [
      "invoice",
      "contains",
      "subject",
      "invoice",
      [
        { type: "tag", params: { tag: "Bills" } },
        { type: "tag", params: { tag: "Orders" } },
      ],
    ],
  ],
  [
    [
      "later",
      "contains",
      "subject",
      "coupons",
      [{ type: "forward", params: { email: "", immediate: false, daily: false } }],
    ],
  ],
] as const;

type Expected = Pick<GeneratedMail, "tags" | "outcome" | "reason" | "rules" | "actions">;

const plain: Expected = { tags: [], outcome: "forwarded", reason: null, rules: [], actions: [] };

const expectedOf = (mask: number, subject: string): Expected => {
  const has = (word: string): boolean => subject.toLowerCase().includes(word);
  if (mask === 1 && has("order")) return { ...plain, tags: ["Orders"], rules: ["order"], actions: ["tag"] };
  if (mask === 2 && has("sale"))
    return { ...plain, outcome: "blocked", reason: 'Rule "sale"', rules: ["sale"], actions: ["block"] };
  if (mask === 3 && has("digest"))
    return { ...plain, outcome: "archived", rules: ["weekly"], actions: ["archive"] };
  if (mask === 3 && has("invoice"))
    return { ...plain, tags: ["Bills", "Orders"], rules: ["invoice"], actions: ["tag", "tag"] };
  if (mask === 4 && has("coupons"))
    return { ...plain, outcome: "digest", rules: ["later"], actions: ["forward"] };
  return plain;
};

/** Generates the mail with number `n`; the same number always gives the same mail. */
export const generatedMail = (n: number): GeneratedMail => {
  const mask = (n * 7 + Math.floor(n / 11)) % rulesOfMask.length;
  const subject = subjects[(n * 3 + Math.floor(n / 5)) % subjects.length] ?? "";
  const list = lists[Math.floor(n / 3) % lists.length] ?? "";
  const domain = `Shop${(n * n) % 23}.Example`;
  const from = `Sender ${n} <mail@${domain}>`;
  const content = `From: ${from}\r\nSubject: ${subject}\r\n${list}\r\nGood day ${n}.\r\n`;
  const traits = traitsOf(content, { masks: 0, earlierMails: 0 });
  return {
    mask,
    domain: domain.toLowerCase(),
    content,
    category: classify({ subject, headers: headersOf(from, list), traits }),
    ...expectedOf(mask, subject),
  };
};
