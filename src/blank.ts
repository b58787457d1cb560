/** What is not seen, beside spaces: ignorable characters, marks of annotations, and the braille pattern without dots. */
const unseen = '\\p{Default_Ignorable_Code_Point}\\ufff9-\\ufffb\\u2800'

const blank = new RegExp(`^[\\s${unseen}]*$`, 'u')
const anyUnseen = new RegExp(`[${unseen}]`, 'gu')

/** Whether a text shows nothing. */
export function isBlank(text: string): boolean {
  return blank.test(text)
}

/** The text without what is not seen; spaces stay. */
export function withoutUnseen(text: string): string {
  return text.replace(anyUnseen, '')
}
