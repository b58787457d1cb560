import { hash } from 'node:crypto'

/** SHA-256 of the text in UTF-8, in hexadecimal. */
export function sha256Of(text: string): string {
  return hash('sha256', text)
}
