import { expect } from "chai";
import { type Decision, deliverTo } from "../../../../../core/rules/engine/decision.ts";
import { describeDecision } from "../../../../../web/features/rules/testPanel/Explanation.tsx";

const to = ["ada@example.org"];
const ruleId = "r1";

const decisions: readonly (readonly [Partial<Decision>, readonly string[]])[] = [
  [{}, ["The email is forwarded to ada@example.org."]],
  [{ block: { how: "silent", by: "rule", ruleId } }, ["The email is dropped. The sender is not notified."]],
  [{ block: { how: "refuse", by: "rule", ruleId } }, ["The email is refused. The sender is notified."]],
  [
    { hold: { ruleId } },
    ["The email is held until you decide. Once released:", "The email is forwarded to ada@example.org."],
  ],
  [{ destinations: [], digest: to }, ["It goes to ada@example.org with the next hourly mail."]],
  [{ destinations: [], dailyDigest: to }, ["It goes to ada@example.org with the next daily mail."]],
  [{ destinations: [], archive: { markAsRead: true } }, ["It is kept in the archive, marked as read."]],
  [{ destinations: [], archive: { markAsRead: false } }, ["It is kept in the archive."]],
  [{ destinations: [], tags: ["a", "b"] }, ["It is tagged a, b."]],
  [{ destinations: [], subject: "Hi" }, ["Its subject becomes “Hi”."]],
  [{ destinations: [], removeTrackers: true }, ["Trackers are removed from it."]],
  [{ destinations: [], notify: [{ ruleId, message: "" }] }, ["You are notified."]],
  [
    { destinations: [], autoReply: { ruleId, subject: "", message: "Away" } },
    ["Its sender gets an answer, once in 7 days."],
  ],
];

describe("The test of rules", () => {
  for (const [change, sentences] of decisions)
    it(`says of a mail: ${sentences.join(" ")}`, () => {
      expect(describeDecision({ ...deliverTo(to), ...change })).to.deep.equal(sentences);
    });
});
