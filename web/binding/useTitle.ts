import { useEffect } from "react";
import { useApp } from "./useApp.ts";

/** Names the window after what it shows: "Masks · Bauta". A title that says the brand already stands alone. */
export const useTitle = (title: string): void => {
  const { brand } = useApp().configuration;
  useEffect(() => {
    document.title = title.includes(brand) ? title : `${title} · ${brand}`;
  }, [title, brand]);
};
