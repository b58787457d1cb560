/** The documents of the repository, and what they name. */
import { readdirSync, readFileSync } from 'node:fs'
import { anchorOf } from '../../pages/build/documents.ts'

export const root = new URL('../../', import.meta.url)
export const read = (path: string) => readFileSync(new URL(path, root), 'utf8')

const above = ['README.md', 'CONTRIBUTING.md', 'ARCHITECTURE.md', 'SECURITY.md', 'CHANGELOG.md', 'test/README.md']
const below = readdirSync(new URL('docs', root), { recursive: true, encoding: 'utf8' })

export const documents = [
  ...above,
  ...below.flatMap((path) => (path.endsWith('.md') ? [`docs/${path.replaceAll('\\', '/')}`] : [])),
]

export interface Line {
  /** The document with the number of the line. */
  readonly place: string
  readonly text: string
  /** Whether it is in a block of code. */
  readonly isCode: boolean
}

export function linesOf(path: string): readonly Line[] {
  let isCode = false
  return read(path)
    .split('\n')
    .map((text, index) => {
      const isFence = text.startsWith('```')
      if (isFence) isCode = !isCode
      return { place: `${path}:${index + 1}`, text, isCode: isCode || isFence }
    })
}

/** Returns the parts of a line between backticks. */
export function codeIn({ text, isCode }: Line): readonly string[] {
  return isCode ? [] : [...text.matchAll(/`([^`]+)`/g)].map(([, code]) => code!)
}

/** Names by which GitHub's pages can be entered: a heading's words, or `<a id>`. */
export function anchorsOf(path: string): ReadonlySet<string> {
  const counts = new Map<string, number>()
  const lines = linesOf(path).filter(({ isCode }) => !isCode)
  const headings = lines.flatMap(({ text }) => /^#{1,6} +(.*?) *#*$/.exec(text)?.[1] ?? [])
  const names = headings
    .map((heading) => anchorOf(heading.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')))
    .map((name) => {
      const count = counts.get(name) ?? 0
      counts.set(name, count + 1)
      return count === 0 ? name : `${name}-${count}`
    })
  return new Set([
    ...names,
    ...lines.flatMap(({ text }) => [...text.matchAll(/<a id="([^"]+)"/g)].map(([, id]) => id!)),
  ])
}
