/** Characters of an address that every mail program takes from a browser. */
export const maxMailAddress = 1_800
/** Characters of a name in a subject. */
const maxName = 30

/** A name as it fits into the subject of a mail. */
export function shortenName(name: string): string {
  const characters = [...name]
  return characters.length > maxName ? `${characters.slice(0, maxName).join('')}…` : name
}

/** Address that opens a mail with this subject and these paragraphs in the mail program of the person. */
export function formatMailAddress(subject: string, paragraphs: readonly string[]): string {
  return `mailto:?subject=${encode(subject)}&body=${encode(paragraphs.join('\r\n\r\n'))}`
}

/** Isolates and overrides are for pages; in a mail they would be seen, or turn the text after them. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed().replace(/[\u202a-\u202e\u2066-\u2069]/g, ''))
}
