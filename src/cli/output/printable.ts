/** What others wrote, on one line: control characters and invisible ones, which may steer a terminal, are question marks. */
export function printable(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '?')
}
