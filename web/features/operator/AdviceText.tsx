import { Fragment } from "react";

/** Advice whose commands, between backticks, are shown as code. */
export const AdviceText = ({ text }: { readonly text: string }) =>
  text.split("`").map((part, at) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text do not move
    at % 2 === 1 ? <code key={at}>{part}</code> : <Fragment key={at}>{part}</Fragment>,
  );
