/** The zone at the end of an id such as /mozilla.org/20050126_1/Europe/Berlin, whose start names a program. */
export const zoneOf = (id: unknown): string => {
  const plain = typeof id === "string" ? id.trim() : "";
  return plain.startsWith("/") ? plain.split("/").slice(-2).join("/") : plain;
};

/** True if a zone is named as zones are. */
export const isPlainZone = (zone: string): boolean => /^[\w/+ .:()&,-]{1,100}$/.test(zone);

const maxZones = 20;

/** Converts local times of zones that are known here to UTC. */
export const createToUtc = (): ((time: string, zone: string) => string | null) => {
  const formats = new Map<string, Intl.DateTimeFormat | null>();
  const formatOf = (zone: string): Intl.DateTimeFormat | null => {
    const known = formats.get(zone);
    if (known !== undefined) return known;
    let format: Intl.DateTimeFormat | null = null;
    try {
      if (formats.size < maxZones)
        format = new Intl.DateTimeFormat("sv-SE", {
          timeZone: zone,
          dateStyle: "short",
          timeStyle: "medium",
        });
    } catch {
      // The zone is not known.
    }
    formats.set(zone, format);
    return format;
  };
  return (time, zone) => {
    const [, year, month, day, hour, minute, second] =
      /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)$/.exec(time) ?? [];
    const format = year === undefined ? null : formatOf(zone);
    const wall = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
    if (!format || Number.isNaN(wall)) return null;
    const shown = (at: number): number => Date.parse(`${format.format(at).replace(" ", "T")}Z`);
    // The offset at the first guess may be that of the other side of a change of the clock.
    const first = wall - (shown(wall) - wall);
    const utc = first - (shown(first) - wall);
    return new Date(utc).toISOString().replaceAll(/[-:]|\.\d{3}/g, "");
  };
};
