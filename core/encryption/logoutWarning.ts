/** The warning at logout while private keys are on the device: logging out deletes them (D45). */
export const keyDeletionWarning =
  "Your private key is deleted from this device when you log out. To read encrypted mail here again you will need its backup and passphrase.";
