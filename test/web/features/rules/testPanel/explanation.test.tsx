import "../../../../support/dom.ts";
import { render, screen } from "@testing-library/react";
import { expect } from "chai";
import { stub } from "sinon";
import type { ActionExplanation, RuleExplanation } from "../../../../../core/rules/engine/explanation.ts";
import { Explanation } from "../../../../../web/features/rules/testPanel/Explanation.tsx";
import { useDom } from "../../../../support/jsdom.ts";

const forwardTo = (email: string): ActionExplanation => ({
  action: { type: "forward", params: { email, immediate: true, daily: false } },
  done: false,
  reason: "unconfirmed",
});

const rule: RuleExplanation = {
  ruleId: "r1",
  name: "Both of us",
  outcome: "matched",
  reason: null,
  conditions: [],
  actions: [forwardTo("ada@work.example"), forwardTo("bob@work.example")],
};

describe("The explanation of a rule test", () => {
  useDom();

  it("mentions both of two forwards of a rule", () => {
    const complaints = stub(console, "error");
    try {
      const { rerender } = render(<Explanation explanation={[rule]} />);
      expect(screen.getAllByText(/has not confirmed/)).to.have.length(2);
      rerender(<Explanation explanation={[{ ...rule, actions: rule.actions.slice(1) }]} />);
      expect(screen.getAllByText(/has not confirmed/)).to.have.length(1);
      expect(complaints.args.map(([text]) => String(text))).to.deep.equal([]);
    } finally {
      complaints.restore();
    }
  });
});
