/** Names somebody in a text: "Ada (ada@example.org)", or what is known of both. */
export const nameAndAddress = ({
  name,
  address,
}: {
  readonly name: string;
  readonly address: string;
}): string => {
  if (name === "" || name === address) return address;
  return address === "" ? name : `${name} (${address})`;
};
