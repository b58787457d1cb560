/** Text of others on one line: control and invisible characters, which may steer a terminal, become question marks. */
export function printable(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '?')
}
