type Texts = typeof import('./en.json')

/** A folder with texts of its own, such as `people/roles`. */
export type Room = keyof Texts

/** Keys of the texts of a room. */
export type TextKey<Of extends Room> = keyof Texts[Of] & string
