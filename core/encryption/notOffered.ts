/** Said where the server has no encryption (D12). */
export const notOffered = "Email encryption feature is not yet implemented";
