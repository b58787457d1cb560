/** Spaces, and what is not seen: ignorable characters, marks of annotations, and the braille pattern without dots. */
const unseen = /^[\s\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\u2800]*$/u

/** Whether a text shows nothing. */
export function isBlank(text: string): boolean {
  return unseen.test(text)
}
