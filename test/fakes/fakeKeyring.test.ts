import { keyringContract } from "../contracts/keyringContract.ts";
import { createFakeKeyring, fakeSeal } from "./fakeKeyring.ts";

describe("The fake keyring", () => {
  keyringContract(async () => ({ keyring: createFakeKeyring().keyring, seal: fakeSeal }));
});
