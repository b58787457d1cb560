/** How large a schema is. */
export interface SchemaSize {
  readonly trees: number
  /** On all levels, roots included. */
  readonly categories: number
}

/** Lengths count UTF-16 code units, as `maxlength` in a browser does (chosen). */
export interface SchemaLimits {
  readonly trees: number
  readonly levels: number
  readonly categories: number
  readonly titleLength: number
  readonly sourceLength: number
  readonly descriptionLength: number
}

/** Description §2 and §8. Roots count towards the 200, and the length of a source is limited (chosen). */
const structureLimits = { trees: 5, levels: 4, categories: 200, sourceLength: 1_000 } as const
/** "Fewer than 100 characters", "fewer than 300 characters" (description §8). */
export const groupLimits: SchemaLimits = { ...structureLimits, titleLength: 99, descriptionLength: 299 }
/** "Up to 100 characters", "up to 300 characters" (description §8). */
export const portalLimits: SchemaLimits = { ...structureLimits, titleLength: 100, descriptionLength: 300 }
