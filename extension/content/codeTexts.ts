/** Returns how a code is offered in a field; `sender` is empty where nothing proves who sent it. */
export const codeTexts = (
  code: string,
  sender: string,
): { readonly name: string; readonly text: string } => ({
  name: `Fill in the code ${code} ${sender === "" ? "whose sender is not proven" : `from ${sender}`} (Alt+Shift+M)`,
  text: `${code} · ${sender === "" ? "sender not proven" : sender}`,
});
