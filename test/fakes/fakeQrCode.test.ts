import { qrCodeContract } from "../contracts/qrCodeContract.ts";
import { fakeQrCode } from "./fakeQrCode.ts";

describe("The fake of what writes QR codes", () => {
  qrCodeContract(() => fakeQrCode);
});
