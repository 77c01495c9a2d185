/** What somebody is told who logs out while private keys are on the device, since a logout leaves nothing there (D45). */
export const leavingKeys =
  "Your private key is deleted from this device when you log out. To read encrypted mail here again you will need its backup and passphrase.";
