/** Where the list of masks is asked for; alone, so that whoever only names it needs no codec. */
export const maskListPath = "/masks";
