import { qrCodeContract } from "../contracts/qrCodeContract.ts";
import { fakeQrCode } from "./fakeQrCode.ts";

describe("The fake QR code writer", () => {
  qrCodeContract(() => fakeQrCode);
});
