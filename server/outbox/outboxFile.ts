const ending = ".eml";
const entryId = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z-[A-Za-z0-9_-]{1,40}$/;

/** The name of a kept mail: when it was queued and its id, so that names sort by time. */
export const outboxFile = (mail: { readonly id: string; readonly createdAt: number }): string =>
  `${new Date(mail.createdAt).toISOString().replace(/[-:.]/g, "")}-${mail.id}${ending}`;

/** The id of a kept mail, read from a file's name; null when the file is none. */
export const idOfFile = (name: string): string | null => {
  const id = name.endsWith(ending) ? name.slice(0, -ending.length) : "";
  return entryId.test(id) ? id : null;
};

/** The file of an id; null when the text is no id, so that no other file can be named with it. */
export const fileOfId = (id: string): string | null => (entryId.test(id) ? `${id}${ending}` : null);

/** When the mail of that id was queued. */
export const timeOfId = (id: string): number => {
  const [, year, month, day, hour, minute, second, millisecond] = entryId.exec(id) ?? [];
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${millisecond}Z`);
};
