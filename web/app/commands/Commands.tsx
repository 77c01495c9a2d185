import { useEffect, useRef } from "react";
import { createSingleKeys } from "../../../core/singleKeys/singleKeys.ts";
import { useLogout } from "../../features/account/useLogout.tsx";
import { createRandomMask } from "../../features/masks/createRandomMask.ts";
import { listDialogs } from "../../features/masks/listDialogs.ts";
import { useOpening } from "../../loading/useOpening.ts";
import { addressText } from "../../navigation/address.ts";
import { focusOnMasks, goTo } from "../../navigation/goTo.ts";
import { useApp, useFeature, useSignedIn } from "../../react/useApp.ts";
import { KeyHelp } from "./KeyHelp.tsx";
import { Palette } from "./Palette.tsx";

/** A key that does something, and how often one has been pressed. */
export interface PressedKey {
  readonly key: string;
  readonly count: number;
}

/** Does what a key is for, or "palette" or "help", which work also while single keys are switched off. */
export type RunKey = (key: string) => void;

/** Does what a key is for: shows a screen or a dialog, or creates a mask. */
export const Commands = ({ pressed }: { readonly pressed: PressedKey }) => {
  const keys = useFeature(createSingleKeys);
  const { session } = useApp();
  const signedIn = useSignedIn();
  const palette = useOpening();
  const help = useOpening();
  const { logOut, confirmation } = useLogout();

  const press = (key: string): void => {
    const isSingle = key !== "palette" && key !== "help";
    if (isSingle && !keys.isOn$.value) return;
    const actions: Readonly<Record<string, () => void>> = {
      r: () => void createRandomMask({ signedIn, session }),
      "?": help.open,
      help: help.open,
      "/": () => focusOnMasks("search"),
      s: () => focusOnMasks("selection"),
      g: palette.open,
      j: () => focusOnMasks("next mask"),
      k: () => focusOnMasks("mask before"),
      palette: palette.open,
    };
    const dialog = listDialogs.find((one) => one.key === key);
    if (dialog) goTo(addressText(dialog.path));
    else actions[key]?.();
  };
  const latest = useRef(press);
  useEffect(() => {
    latest.current = press;
  });
  useEffect(() => latest.current(pressed.key), [pressed]);
  return (
    <>
      {palette.opened && (
        <Palette
          key={`palette ${palette.opened.key}`}
          isOpen={palette.isOpen}
          onClose={palette.close}
          onHelp={help.open}
          onLogOut={logOut}
        />
      )}
      {confirmation}
      {help.opened && <KeyHelp isOpen={help.isOpen} onClose={help.close} keys={keys} />}
    </>
  );
};
