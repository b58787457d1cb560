import sprite from 'virtual:icon-sprite'
import { registerIconLibrary } from '@awesome.me/webawesome/dist/components/icon/library.js'
import { iconShapes } from './icon-shapes.ts'

/** Makes `<wa-icon name="…">`, and the elements of Web Awesome, use the icons of the sprite and no others. */
export function registerIcons(): void {
  for (const library of ['default', 'system']) {
    registerIconLibrary(library, {
      resolver: (name) => `${sprite}#${name in iconShapes ? name : 'circle'}`,
      spriteSheet: true,
      // An icon without a viewBox is 300 pixels wide, and covers its neighbours.
      mutator: (svg) => svg.setAttribute('viewBox', '0 0 24 24'),
    })
  }
}
