import { labelsOf } from "../../core/labels/label.ts";
import type { Label, LabelChange, LabelColor } from "../../core/labels/labelEndpoints.ts";
import type { Mask } from "../../core/masks/mask.ts";
import type { Answer, FakeHttp, ReceivedRequest } from "./fakeHttp.ts";

type Authorise = (answer: (request: ReceivedRequest) => Answer) => (request: ReceivedRequest) => Answer;

interface LabelDeps {
  readonly masks: () => readonly Mask[];
  readonly setMasks: (masks: readonly Mask[]) => void;
}

export interface ProductLabels {
  /** The colors of labels, as the account has them. */
  readonly colors: () => Readonly<Record<string, string>>;
}

/** Serves the labels of the masks. */
export const serveLabels = (
  server: FakeHttp,
  authorised: Authorise,
  { masks, setMasks }: LabelDeps,
): ProductLabels => {
  let made: readonly string[] = [];
  let colors: Readonly<Record<string, LabelColor>> = {};
  const names = (): readonly string[] => labelsOf([...masks(), { labels: made }]);
  const read = (name: string): Label => ({
    name,
    color: colors[name.toLowerCase()] ?? "gray",
    masks: masks().filter(({ labels = [] }) => labels.includes(name)).length,
  });
  const replace = (name: string, by: readonly string[]): void => {
    made = made.flatMap((label) => (label === name ? by : [label]));
    setMasks(
      masks().map((mask) => ({
        ...mask,
        labels: [...new Set((mask.labels ?? []).flatMap((label) => (label === name ? by : [label])))],
      })),
    );
  };
  server.on(
    "GET",
    "/labels",
    authorised(() => ({ json: { labels: names().map(read) } })),
  );
  server.on(
    "POST",
    "/labels",
    authorised(({ body }) => {
      const { name } = body as { name: string };
      made = [...made, name];
      return { json: read(name) };
    }),
  );
  server.on(
    "PATCH",
    "/labels/:name",
    authorised(({ params, body }) => {
      const name = params["name"] ?? "";
      const { name: next = name, color, merge } = body as LabelChange;
      if (next !== name && names().includes(next) && merge !== true) {
        const message = `There is a label ${next} already. Merge them, or choose another name.`;
        return { status: 409, json: { message, errors: [{ field: "name", message }] } };
      }
      replace(name, [next]);
      if (color) colors = { ...colors, [next.toLowerCase()]: color };
      return { json: read(next) };
    }),
  );
  server.on(
    "DELETE",
    "/labels/:name",
    authorised(({ params }) => {
      replace(params["name"] ?? "", []);
      return { json: {} };
    }),
  );
  return { colors: () => colors };
};
