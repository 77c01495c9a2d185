/** The values that a page without a tab shows, by the names in its address. */
export type PageParams = Readonly<Record<string, string | undefined>>;

/** The props of a page without a tab. */
export interface PageProps {
  readonly params: PageParams;
  /** Shows something else on the page. */
  readonly onShow: (params: PageParams) => void;
  /** The address of the tab under the page. */
  readonly backTo: string;
  /** Shows the tab under the page. */
  readonly onLeave: () => void;
}
