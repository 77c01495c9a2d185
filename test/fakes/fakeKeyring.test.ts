import { keyringContract } from "../contracts/keyringContract.ts";
import { createFakeKeyring, fakeSeal, fakeSealText } from "./fakeKeyring.ts";

describe("The fake keyring", () => {
  keyringContract(async () => ({
    keyring: createFakeKeyring().keyring,
    seal: fakeSeal,
    sealText: fakeSealText,
  }));
});
