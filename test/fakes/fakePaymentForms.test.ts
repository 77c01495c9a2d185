import { paymentFormsContract } from "../contracts/paymentFormsContract.ts";
import { createFakePaymentForms } from "./fakePaymentForms.ts";

describe("The fake payment forms", () => {
  paymentFormsContract(() => {
    const fake = createFakePaymentForms();
    fake.setPlaces(["place"]);
    return {
      forms: fake.forms,
      shown: () => {
        const options = fake.shown();
        return options ? [options.clientSecret] : [];
      },
      pay: fake.pay,
      setReachable: fake.setReachable,
    };
  });
});
