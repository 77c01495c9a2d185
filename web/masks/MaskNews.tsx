import { useEffect, useRef, useState } from "react";
import type { Mask } from "../../core/masks/mask.ts";
import { useApp } from "../binding/useApp.ts";
import { useObservable } from "../binding/useObservable.ts";
import { newsOf } from "./newsOf.ts";

/** A burst of mail is told in one sentence, once it has been quiet for this long. */
const quietForMs = 1_500;

/** Tells a screen reader what the numbers on the cards did, without reading each step (MA4). */
export const MaskNews = () => {
  const { masks } = useApp();
  const { status, all } = useObservable(masks.view$);
  const [news, setNews] = useState("");
  const told = useRef<readonly Mask[] | undefined>(undefined);

  useEffect(() => {
    if (status === "loading") return;
    if (told.current === undefined) {
      told.current = all;
      return;
    }
    const wait = setTimeout(() => {
      const sentence = newsOf(told.current ?? all, all);
      told.current = all;
      if (sentence !== "") setNews(sentence);
    }, quietForMs);
    return () => clearTimeout(wait);
  }, [status, all]);

  return (
    <p role="status" className="visually-hidden">
      {news}
    </p>
  );
};
