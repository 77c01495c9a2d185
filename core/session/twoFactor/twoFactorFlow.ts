import type { QrSymbol } from "../../ports/qrCode.ts";
import type { RecoveryCode } from "./recoveryCode.ts";

/** The secret for an authenticator, as text, URI and QR code. */
export interface Secret {
  readonly secret: string;
  readonly uri: string;
  /** null when it could not be drawn; the user can type the secret. */
  readonly qrCode: QrSymbol | null;
}

/** The step of a flow. */
export type TwoFactorFlow =
  | { readonly at: "intro" }
  | ({ readonly at: "scan" } & Secret)
  /** Two-factor authentication is on. The recovery codes are shown once; a server may send none. */
  | { readonly at: "complete"; readonly recoveryCodes: readonly RecoveryCode[]; readonly areKept: boolean }
  | { readonly at: "disable" }
  /** The user enters a code before the recovery codes are replaced. */
  | { readonly at: "renew" }
  | { readonly at: "renewed"; readonly recoveryCodes: readonly RecoveryCode[]; readonly areKept: boolean };

export type TwoFactorEvent =
  | { readonly kind: "opened"; readonly at: "intro" | "disable" | "renew" }
  | ({ readonly kind: "secret-made" } & Secret)
  | { readonly kind: "back" }
  | { readonly kind: "codes-given"; readonly recoveryCodes: readonly RecoveryCode[] }
  | { readonly kind: "kept"; readonly areKept: boolean }
  | { readonly kind: "disabled" }
  | { readonly kind: "closed" };

/** True if the step shows recovery codes that are not confirmed as saved. */
const hasUnsavedCodes = (flow: TwoFactorFlow | null): boolean =>
  flow !== null && "areKept" in flow && flow.recoveryCodes.length > 0 && !flow.areKept;

/** Returns the next step. A step with recovery codes is closed only after they are confirmed as saved. */
export const reduceTwoFactor = (flow: TwoFactorFlow | null, event: TwoFactorEvent): TwoFactorFlow | null => {
  switch (event.kind) {
    case "opened":
      return flow ?? { at: event.at };
    case "secret-made": {
      const { secret, uri, qrCode } = event;
      return flow?.at === "intro" ? { at: "scan", secret, uri, qrCode } : flow;
    }
    case "back":
      return flow?.at === "scan" ? { at: "intro" } : flow;
    case "codes-given": {
      const { recoveryCodes } = event;
      if (flow?.at === "renew") return { at: "renewed", recoveryCodes, areKept: false };
      return { at: "complete", recoveryCodes, areKept: false };
    }
    case "kept":
      return flow !== null && "areKept" in flow ? { ...flow, areKept: event.areKept } : flow;
    case "disabled":
      return flow?.at === "disable" ? null : flow;
    case "closed":
      return hasUnsavedCodes(flow) ? flow : null;
  }
};
