import { expect } from "chai";
import { isLeft } from "fp-ts/lib/Either.js";
import { createStripeForms, loadStripeLibrary } from "../../../adapters/stripe/stripeForms.ts";
import { paymentFormsContract } from "../../contracts/paymentFormsContract.ts";

interface Options {
  readonly clientSecret: string;
  readonly onComplete: () => void;
}

/** Fakes Stripe's forms: one at a time, unusable once destroyed (docs.stripe.com/js/embedded_checkout). */
const createStripe = () => {
  const place = { id: "place" };
  const shown = new Set<Options>();
  let alive = 0;
  let isReachable = true;
  const createEmbeddedCheckoutPage = async (options: Options) => {
    if (!isReachable) throw new Error(`Failed to load ${options.clientSecret}`);
    if (alive > 0) throw new Error("You cannot have multiple Embedded Checkout objects.");
    alive += 1;
    let isDestroyed = false;
    return {
      mount: (element: unknown) => {
        if (element !== place) throw new Error("not an element of the page");
        shown.add(options);
      },
      unmount: () => shown.delete(options),
      destroy: () => {
        if (isDestroyed) throw new Error("This Embedded Checkout instance has already been destroyed.");
        isDestroyed = true;
        alive -= 1;
        shown.delete(options);
      },
    };
  };
  const paid = new Set<Options>();
  return {
    window: {
      document: { getElementById: (id: string) => (id === place.id ? place : null) },
    } as unknown as Window,
    library: async () =>
      ({ loadStripeFor: async () => ({ createEmbeddedCheckoutPage }) }) as unknown as Awaited<
        ReturnType<typeof loadStripeLibrary>
      >,
    shown: () => [...shown].map(({ clientSecret }) => clientSecret),
    pay: () => {
      for (const options of shown)
        if (!paid.has(options)) {
          paid.add(options);
          options.onComplete();
        }
    },
    setReachable: (reachable: boolean) => {
      isReachable = reachable;
    },
  };
};

describe("Payment forms by Stripe", () => {
  paymentFormsContract(() => {
    const stripe = createStripe();
    return { ...stripe, forms: createStripeForms(stripe.window, stripe.library) };
  });

  it("are opened one after the other: the second waits until the first is loaded", async () => {
    const stripe = createStripe();
    const forms = createStripeForms(stripe.window, stripe.library);
    const options = { publishableKey: "pk", clientSecret: "cs_1", elementId: "place", onCompleted: () => {} };
    const first = forms
      .open(options)()
      .then((form) => {
        if (form._tag === "Right") form.right.remove();
      });
    const second = forms.open({ ...options, clientSecret: "cs_2" })();
    await first;
    expect((await second)._tag).to.equal("Right");
    expect(stripe.shown()).to.deep.equal(["cs_2"]);
  });

  it("are unavailable where there is no document for Stripe's script", async () => {
    const forms = createStripeForms(createStripe().window, loadStripeLibrary);
    const outcome = await forms.open({
      publishableKey: "pk_test_1",
      clientSecret: "cs_1",
      elementId: "place",
      onCompleted: () => {},
    })();
    expect(isLeft(outcome) && outcome.left.kind).to.equal("unavailable");
  });
});
