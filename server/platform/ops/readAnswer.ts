/** Returns the body of an HTTP answer as UTF-8 text; null when it is longer than `maxBytes`. Rejects when the connection breaks. */
export const readAnswer = async (response: Response, maxBytes: number): Promise<string | null> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > maxBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
};
