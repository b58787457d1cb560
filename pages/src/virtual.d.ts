/** Made by `build/icon-sprite.ts`. */
declare module 'virtual:icon-sprite' {
  const address: string
  export default address
}

/** Made by `build/text-files.ts`. */
declare module 'virtual:text-files' {
  /** Loads texts: ICU messages by room and key. */
  type TextLoader = () => Promise<{ readonly default: Readonly<Record<string, Readonly<Record<string, string>>>> }>
  /** Texts of each language: those that the first screen needs, and all others. */
  export const textFiles: Readonly<
    Record<import('../../src/languages.ts').Language, { readonly first: TextLoader; readonly others: TextLoader }>
  >
}
