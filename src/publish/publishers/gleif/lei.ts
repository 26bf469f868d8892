const FORM = /^[A-Z0-9]{18}[0-9]{2}$/;

/** Twenty characters, of which the last two are check digits: ISO 17442 with the arithmetic of ISO 7064 (mod 97-10). */
export function isLei(text: string): boolean {
  if (!FORM.test(text)) return false;
  let remainder = 0;
  for (const character of text) {
    const number = Number.parseInt(character, 36);
    remainder = (remainder * (number > 9 ? 100 : 10) + number) % 97;
  }
  return remainder === 1;
}
