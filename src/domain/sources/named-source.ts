/** Whether a text names a source: its publisher in full, or its id as an abbreviation in capitals. */
export function isNamedIn(
  text: string,
  { id, publisher }: { readonly id: string; readonly publisher: string },
): boolean {
  const words = text.split(/[^\p{L}\p{N}]+/u);
  return text.toLowerCase().includes(publisher.toLowerCase()) || words.includes(id.toUpperCase());
}
