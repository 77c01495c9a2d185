import "../support/dom.ts";
import { expect } from "chai";
import { maxWaitMs, waitForAnswer } from "../../extension/content/codeWait.ts";
import { settled } from "../fakes/virtualClock.ts";
import { useDom } from "../support/jsdom.ts";

interface Answer {
  readonly isWaiting?: true;
  readonly code?: string;
}

/** A field with the focus, in a window that has it or not; each request takes the time of its answer. */
const open = () => {
  document.body.innerHTML = '<input id="code"><input id="other">';
  const [field, other] = [...document.querySelectorAll("input")];
  if (field === undefined || other === undefined) throw new Error("there are no fields");
  field.focus();
  let now = 0;
  let asked = 0;
  let hasFocus = true;
  let waiting: ((answer: Answer) => void) | undefined;
  Object.assign(document, { hasFocus: () => hasFocus });
  const answer = waitForAnswer<Answer>(field, {
    now: () => now,
    ask: () => {
      asked += 1;
      return new Promise((resolve) => {
        waiting = resolve;
      });
    },
  });
  const focusWindow = async (): Promise<void> => {
    const event = document.createEvent("Event");
    event.initEvent("focus", false);
    window.dispatchEvent(event);
    await settled();
  };
  return {
    answer,
    other,
    asked: () => asked,
    reply: async (given: Answer, afterMs = 20_000) => {
      now += afterMs;
      waiting?.(given);
      await settled();
    },
    leave: () => {
      hasFocus = false;
    },
    focusWindow,
    comeBack: () => {
      hasFocus = true;
      return focusWindow();
    },
  };
};

describe("The wait for a code in a field", () => {
  useDom();
  afterEach(() => Reflect.deleteProperty(document, "hasFocus"));

  it("goes on until the code is there", async () => {
    const { answer, reply, asked } = open();
    await reply({ isWaiting: true });
    await reply({ code: "482199" });
    expect([await answer, asked()]).to.deep.equal([{ code: "482199" }, 2]);
  });

  it("asks nothing while the user is elsewhere, whatever the page says, and goes on when the user is back", async () => {
    const { answer, reply, asked, leave, focusWindow, comeBack } = open();
    leave();
    await reply({ isWaiting: true });
    await focusWindow();
    expect(asked()).to.equal(1);
    await comeBack();
    await reply({ code: "482199" });
    expect([await answer, asked()]).to.deep.equal([{ code: "482199" }, 2]);
  });

  it("ends when the user types elsewhere, and after ten minutes", async () => {
    const elsewhere = open();
    elsewhere.other.focus();
    await elsewhere.reply({ isWaiting: true });
    await elsewhere.answer;
    expect(elsewhere.asked()).to.equal(1);
    const long = open();
    await long.reply({ isWaiting: true }, maxWaitMs);
    await long.answer;
    expect(long.asked()).to.equal(1);
  });
});
