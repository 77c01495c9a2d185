import { keyringContract } from "../contracts/keyringContract.ts";
import { fakeSeal, makeFakeKeyring } from "./fakeKeyring.ts";

describe("The fake keyring", () => {
  keyringContract(async () => ({ keyring: makeFakeKeyring().keyring, seal: fakeSeal }));
});
