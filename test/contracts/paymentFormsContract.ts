import { expect } from "chai";
import { isLeft } from "fp-ts/lib/Either.js";
import type { PaymentForms } from "../../core/ports/paymentForms.ts";
import { problemlessly } from "./outcomes.ts";

/** A provider's form, controlled by the test as by its user. */
export interface PaymentFormsUnderTest {
  readonly forms: PaymentForms;
  /** The secrets of the forms in the page's element "place". */
  readonly shown: () => readonly string[];
  /** Pays in the current form. */
  readonly pay: () => void;
  readonly setReachable: (isReachable: boolean) => void;
}

const options = { publishableKey: "pk_test_1", clientSecret: "cs_1_secret", elementId: "place" };
const ignore = (): void => {};

/** The tests that every adapter of a payment form must pass. */
export const paymentFormsContract = (make: () => PaymentFormsUnderTest): void => {
  it("inserts the form into its element and removes it again, however often that is requested", async () => {
    const { forms, shown } = make();
    const form = problemlessly(await forms.open({ ...options, onCompleted: ignore })());
    expect(shown()).to.deep.equal(["cs_1_secret"]);
    form.remove();
    form.remove();
    expect(shown()).to.deep.equal([]);
  });

  it("shows another form after the first was removed", async () => {
    const { forms, shown } = make();
    problemlessly(await forms.open({ ...options, onCompleted: ignore })()).remove();
    problemlessly(await forms.open({ ...options, clientSecret: "cs_2_secret", onCompleted: ignore })());
    expect(shown()).to.deep.equal(["cs_2_secret"]);
  });

  it("reports once that the payment is complete", async () => {
    const { forms, pay } = make();
    let completions = 0;
    await forms.open({
      ...options,
      onCompleted: () => {
        completions += 1;
      },
    })();
    expect(completions).to.equal(0);
    pay();
    pay();
    expect(completions).to.equal(1);
  });

  it("is unavailable without its element in the page, and leaves nothing behind", async () => {
    const { forms, shown } = make();
    const nowhere = await forms.open({ ...options, elementId: "nowhere", onCompleted: ignore })();
    expect(isLeft(nowhere) && nowhere.left.kind).to.equal("unavailable");
    expect(shown()).to.deep.equal([]);
    problemlessly(await forms.open({ ...options, onCompleted: ignore })());
    expect(shown()).to.deep.equal(["cs_1_secret"]);
  });

  it("is unavailable while the provider cannot be reached, and available once it can", async () => {
    const { forms, shown, setReachable } = make();
    setReachable(false);
    const failed = await forms.open({ ...options, onCompleted: ignore })();
    expect(isLeft(failed) && failed.left.kind).to.equal("unavailable");
    expect(JSON.stringify(failed)).not.to.include("cs_1_secret");
    setReachable(true);
    problemlessly(await forms.open({ ...options, onCompleted: ignore })());
    expect(shown()).to.deep.equal(["cs_1_secret"]);
  });
};
