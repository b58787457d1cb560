import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** A file that pages link to. */
export interface PageAsset {
  /** Contains a digest of the text, so that browsers may cache the file for good. */
  readonly name: string
  readonly contentType: string
  readonly text: string
}

const tokens = readAsset('tokens.css')
const style = readPageAsset('page', 'css', 'text/css; charset=utf-8', tokens)
const script = readPageAsset('page', 'js', 'text/javascript; charset=utf-8')
const signInStyle = readPageAsset('sign-in', 'css', 'text/css; charset=utf-8', tokens)
const icon = readPageAsset('icon', 'svg', 'image/svg+xml')

/** File names, for the head of a page. */
export const fileNames = { style: style.name, script: script.name, signInStyle: signInStyle.name, icon: icon.name }

export const pageAssets: readonly PageAsset[] = [style, script, signInStyle, icon]

function readPageAsset(noun: string, extension: string, contentType: string, above = ''): PageAsset {
  const text = above + readAsset(`${noun}.${extension}`)
  return { name: `${noun}-${hash('sha256', text).slice(0, 12)}.${extension}`, contentType, text }
}

function readAsset(fileName: string): string {
  return readFileSync(new URL(`./assets/${fileName}`, import.meta.url), 'utf8')
}
