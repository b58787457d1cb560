import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** A file that pages link to. */
export interface PageAsset {
  /** Contains a digest of the text, so that browsers may cache the file for good. */
  readonly name: string
  readonly contentType: string
  readonly text: string
}

const icon = readPageAsset('icon', 'svg', 'image/svg+xml')
const tokens = readAsset('tokens.css')
const style = readStyle('page')
const script = readPageAsset('page', 'js', 'text/javascript; charset=utf-8')
const signInStyle = readStyle('sign-in')

/** File names, for the head of a page. */
export const fileNames = { style: style.name, script: script.name, signInStyle: signInStyle.name, icon: icon.name }

export const pageAssets: readonly PageAsset[] = [style, script, signInStyle, icon]

/** A style names the icon without the digest that its address has. */
function readStyle(noun: string): PageAsset {
  return pageAsset(
    noun,
    'css',
    'text/css; charset=utf-8',
    tokens + readAsset(`${noun}.css`).replaceAll('icon.svg', icon.name),
  )
}

function readPageAsset(noun: string, extension: string, contentType: string): PageAsset {
  return pageAsset(noun, extension, contentType, readAsset(`${noun}.${extension}`))
}

function pageAsset(noun: string, extension: string, contentType: string, text: string): PageAsset {
  return { name: `${noun}-${hash('sha256', text).slice(0, 12)}.${extension}`, contentType, text }
}

function readAsset(fileName: string): string {
  return readFileSync(new URL(`./assets/${fileName}`, import.meta.url), 'utf8')
}
