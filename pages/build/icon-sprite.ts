import type { Plugin } from 'vite'
import { iconShapes } from '../src/elements/icon-shapes.ts'

/** Makes `virtual:icon-sprite`, the URL of one file with every icon, which `<use>` refers to. */
export function iconSprite(): Plugin {
  const name = 'virtual:icon-sprite'
  const resolved = `\0${name}`
  return {
    name: 'icon-sprite',
    resolveId: (id) => (id === name ? resolved : undefined),
    load(id) {
      if (id !== resolved) return undefined
      const file = this.emitFile({ type: 'asset', name: 'icons.svg', source: formatSprite() })
      return `export default import.meta.ROLLUP_FILE_URL_${file}`
    },
  }
}

function formatSprite(): string {
  const symbols = Object.entries(iconShapes).map(
    ([name, shape]) =>
      `<symbol id="${name}" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" ` +
      `stroke-linecap="round" stroke-linejoin="round">${shape}</symbol>`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg">${symbols.join('')}</svg>\n`
}
