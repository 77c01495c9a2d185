/** How long a browser may take to begin with what it was handed. */
const handedOverMs = 10_000;

/** Hands a file to the browser, which keeps it where it keeps downloads, or asks where. */
export const saveFile = (
  name: string,
  content: string | Uint8Array<ArrayBuffer>,
  type = "text/plain",
): void => {
  const shown = typeof content === "string" ? `${type};charset=utf-8` : type;
  const url = URL.createObjectURL(new Blob([content], { type: shown }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), handedOverMs);
};
