import { generateKeyPairSync } from "node:crypto";
import { dkimSign } from "mailauth";

const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });

/** The DKIM record that the domain publishes. */
export const keyRecord = `v=DKIM1; k=rsa; p=${publicKey.export({ type: "spki", format: "der" }).toString("base64")}`;

const usuallyCovered = ["From", "To", "Subject", "Date", "Message-ID"];

/** Creates a mail as its sender's server would have signed it: the usual fields, or these besides the least ones. */
export const signed = async (
  mail: string,
  signingDomain: string,
  covered: readonly string[] | null = null,
): Promise<Buffer> => {
  const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const signer = { signingDomain, selector: "mail", privateKey: pem };
  const headerList = covered && [...usuallyCovered, ...covered];
  const { signatures, errors } = await dkimSign(mail, {
    ...signer,
    ...(headerList && { headerList }),
    signatureData: [signer],
  });
  if (errors.length > 0 || signatures === "") throw new Error("could not be signed");
  return Buffer.from(`${signatures}${mail}`);
};
