/** Made by `build/icon-sprite.ts`. */
declare module 'virtual:icon-sprite' {
  const address: string
  export default address
}
