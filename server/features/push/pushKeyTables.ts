/** The key pair by which push services know this installation (RFC 8292). */
export interface PushKeysTable {
  /** The only row. */
  id: string;
  /** In base64url. */
  public_key: string;
  /** The private key, encrypted with the key of the installation. */
  sealed: string;
}

declare module "../../platform/store/tables.ts" {
  interface Tables {
    push_keys: PushKeysTable;
  }
}
