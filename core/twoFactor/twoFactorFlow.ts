import type { QrSymbol } from "../ports/qrCode.ts";
import type { RecoveryCode } from "../session/recoveryCode.ts";

/** What an authenticator is set up with. */
export interface Secret {
  readonly secret: string;
  readonly uri: string;
  /** null where it could not be drawn: the secret can be typed. */
  readonly qrCode: QrSymbol | null;
}

/** What the user is in the middle of (SG2). */
export type TwoFactorFlow =
  | { readonly at: "intro" }
  | ({ readonly at: "scan" } & Secret)
  /** It is on. The recovery codes are there to be kept, and are not shown again; a server may give none. */
  | { readonly at: "complete"; readonly recoveryCodes: readonly RecoveryCode[]; readonly areKept: boolean }
  | { readonly at: "disable" }
  /** A code is asked for before the recovery codes are replaced. */
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

/** Whether codes stand there that are shown once and that nobody has said they kept. */
const hasUnkeptCodes = (flow: TwoFactorFlow | null): boolean =>
  flow !== null && "areKept" in flow && flow.recoveryCodes.length > 0 && !flow.areKept;

/** What follows on what. Recovery codes are left only once the user has said that they are kept. */
export const step = (flow: TwoFactorFlow | null, event: TwoFactorEvent): TwoFactorFlow | null => {
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
      return hasUnkeptCodes(flow) ? flow : null;
  }
};
