/** Made by `build/icon-sprite.ts`. */
declare module 'virtual:icon-sprite' {
  const address: string
  export default address
}

/** Made by `build/text-files.ts`. */
declare module 'virtual:text-files' {
  /** Loads the texts of a language: ICU messages by room and key. */
  export const textFiles: Readonly<
    Record<
      import('./texts/languages.ts').Language,
      () => Promise<{ readonly default: Readonly<Record<string, Readonly<Record<string, string>>>> }>
    >
  >
}
