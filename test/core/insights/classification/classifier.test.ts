import { expect } from "chai";
import fc from "fast-check";
import { categories } from "../../../../core/insights/classification/category.ts";
import { createClassifier } from "../../../../core/insights/classification/classifier.ts";
import { signalsOf, toWords, traitsOf } from "../../../../core/insights/classification/mailFeatures.ts";
import { crossValidate } from "./crossValidation.ts";

const header = (name: string, value: string) => ({ name, value });
const unsubscribe = header("list-unsubscribe", "<https://shop.example/stop>");
const noReply = header("from", "Shop <no-reply@shop.example>");

describe("the category of a mail", () => {
  const classify = createClassifier();

  const examples = [
    ["promotional", "Everything must go: 60 % off all shoes", [unsubscribe, header("precedence", "bulk")]],
    ["transactional", "Your order 77123 has been shipped", [noReply]],
    ["important", "Your verification code is 118203", [noReply]],
    ["newsletter", "The weekly digest, issue 31", [unsubscribe, header("list-id", "<digest.example>")]],
    ["social", "Karin commented on your photo", [unsubscribe, noReply]],
    ["personal", "Re: dinner on Friday", [header("in-reply-to", "<1@example.org>")]],
    ["other", "Automatic reply: out of office until Monday", [header("auto-submitted", "auto-replied")]],
  ] as const;
  for (const [category, subject, headers] of examples)
    it(`is ${category} for “${subject}”`, () => {
      expect(classify({ subject, headers })).to.equal(category);
    });

  it("is right for at least 8 in 10 mails outside the training set", () => {
    const { share, tested } = crossValidate(5);
    expect(tested).to.be.greaterThan(400);
    expect(share).to.be.greaterThan(0.8);
  });

  it("is right in each category for 6 in 10 of them, and for 8 in 10 of mass mail without list headers", () => {
    const { shares } = crossValidate(5);
    for (const category of categories) expect(shares[category], category).to.be.greaterThan(0.6);
    const unlisted = crossValidate(5, false);
    expect(unlisted.tested).to.be.greaterThan(150);
    expect(unlisted.share).to.be.greaterThan(0.8);
  });

  it("is newsletter for a “Weekly newsletter” without list headers, with a higher score by its sender's habits", () => {
    const mail = { subject: "Weekly newsletter", headers: [] };
    expect(classify(mail)).to.equal("newsletter");
    const sender = { masks: 4, earlierMails: 12 };
    expect(classify({ ...mail, traits: traitsOf("To unsubscribe, click here.", sender) })).to.equal(
      "newsletter",
    );
    const notes = { subject: "Notes on slow walking", headers: [] };
    expect(classify({ ...notes, traits: [] })).not.to.equal("newsletter");
    expect(classify({ ...notes, traits: traitsOf("Unsubscribe", sender) })).to.equal("newsletter");
  });

  it("is one of the seven for any subject and header", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary" }),
        fc.array(fc.record({ name: fc.string(), value: fc.string() })),
        (subject, headers) => categories.includes(classify({ subject, headers })),
      ),
    );
  });
});

describe("the traits of a mail's header", () => {
  it("include a list, a bulk mailing and an automatic sender", () => {
    expect(
      signalsOf([
        header("list-id", "<a>"),
        header("precedence", " Bulk"),
        header("auto-submitted", "auto-generated"),
      ]),
    ).to.deep.equal(["list-id", "bulk", "auto-submitted"]);
  });

  it("treat “Auto-Submitted: no” as mail from a person (RFC 3834)", () => {
    expect(signalsOf([header("auto-submitted", "no")])).to.deep.equal([]);
  });

  it("include a no-reply address, and not a name that resembles one", () => {
    expect(signalsOf([header("from", "<donotreply@shop.example>")])).to.deep.equal(["no-reply"]);
    expect(signalsOf([header("from", "Nora Noreplysson <nora@shop.example>")])).to.deep.equal([]);
  });
});

describe("the traits of a mail's text and sender", () => {
  it("include an offer to unsubscribe in several languages, also encoded as quoted-printable", () => {
    const newSender = { masks: 1, earlierMails: 0 };
    for (const text of ["Unsubscribe here", "Newsletter abbestellen", "Se d=C3=A9sabonner", "Darse de baja"])
      expect(traitsOf(text, newSender), text).to.deep.equal(["unsubscribe-link"]);
    expect(traitsOf("See you on Friday", newSender)).to.deep.equal([]);
  });

  it("include a sender that writes to 3 masks, and one that has written 4 times before", () => {
    expect(traitsOf("", { masks: 2, earlierMails: 3 })).to.deep.equal([]);
    expect(traitsOf("", { masks: 3, earlierMails: 4 })).to.deep.equal(["many-masks", "regular"]);
  });
});

describe("the words of a subject", () => {
  it("are compared without case and accents, and numbers by their length", () => {
    expect(toWords("Été: 482913, 50 %")).to.deep.equal(["ete", "#6", "#2", "%"]);
  });
  it("are at most 40, however long the subject is", () => {
    expect(toWords("word ".repeat(10_000))).to.have.length(40);
  });
});
