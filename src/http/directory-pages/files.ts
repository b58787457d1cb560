import { readFileSync } from 'node:fs'

/** A file that pages refer to. */
export interface DirectoryFile {
  /** Holds a digest of the text, so that browsers may keep it for good. */
  readonly name: string
  readonly contentType: string
  readonly text: string
}

const style = readDirectoryFile('page', 'css', 'text/css; charset=utf-8')
const script = readDirectoryFile('page', 'js', 'text/javascript; charset=utf-8')
const icon = readDirectoryFile('icon', 'svg', 'image/svg+xml')

/** Names of the files, for the head of a page. */
export const fileNames = { style: style.name, script: script.name, icon: icon.name }

export const directoryFiles: readonly DirectoryFile[] = [style, script, icon]

function readDirectoryFile(noun: string, extension: string, contentType: string): DirectoryFile {
  const text = readFileSync(new URL(`./${noun}.${extension}`, import.meta.url), 'utf8')
  return { name: `${noun}-${digest(text)}.${extension}`, contentType, text }
}

/** Tells one version of a file from the next; nothing secret depends on it. */
function digest(text: string): string {
  let sum = 0
  for (let at = 0; at < text.length; at += 1) sum = (Math.imul(sum, 31) + text.charCodeAt(at)) | 0
  return (sum >>> 0).toString(36)
}
