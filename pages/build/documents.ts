import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { Marked } from 'marked'

/** A page of the documentation. */
export interface DocumentPage {
  /** Address below that of the server, as `docs/governing`. */
  readonly address: string
  readonly title: string
  /** Its content, as markup. Links are addresses below that of the server. */
  readonly content: string
  /** Headings of its second level, with their anchors. */
  readonly sections: readonly Section[]
}

interface Section {
  readonly anchor: string
  readonly title: string
}

/** A repository with documents. */
interface Sources {
  /** Folder of the repository, with a slash at its end. */
  readonly root: string
  /** Address of a file that pages show or link to, such as a picture. */
  addressOf(path: string): string
}

const folder = 'docs'

/** Documents above the folder that have a page too; the index is the part of README that lists all. */
const above = ['CHANGELOG.md', 'SECURITY.md']

/** Files that the pages are made from, by their paths in the repository; pictures and the like, too. */
function listDocuments(root: string): readonly string[] {
  const below = readdirSync(`${root}${folder}`, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(md|png|json)$/.test(entry.name))
    .map((entry) => `${entry.parentPath}/${entry.name}`.replaceAll('\\', '/').slice(root.length))
  return ['README.md', ...above, ...below.sort()]
}

/** All pages: the index, each document, and the list of each folder of documents. */
export function renderDocuments(sources: Sources): readonly DocumentPage[] {
  const files = listDocuments(sources.root)
  const documents = files.filter((path) => path.endsWith('.md') && path !== 'README.md')
  const folders = new Set(documents.map((path) => posix.dirname(path)).filter((path) => path.startsWith(`${folder}/`)))
  const addresses = new Map([...documents, ...folders].map((path) => [path, addressOfPage(path)]))
  addresses.set('README.md', folder)
  const read = (path: string) => readFileSync(`${sources.root}${path}`, 'utf8')
  const titles = new Map(documents.map((path) => [path, /^# (.+)$/m.exec(read(path))![1]!]))
  const render = (path: string, text: string) => renderPage(path, text, { ...sources, files, addresses, titles })
  const pages = documents.map((path) => render(path, read(path)))
  return [
    render('README.md', `# Documentation\n${partOf(read('README.md'), 'Documentation')}`),
    ...pages,
    ...[...folders].map((path) => render(`${path}/README.md`, formatList(path, pages))),
  ]
}

function addressOfPage(path: string): string {
  const name = path.replace(/\.md$/, '')
  return name.startsWith(folder) ? name : `${folder}/${name.toLowerCase()}`
}

/** Text below a heading of the second level. */
function partOf(text: string, heading: string): string {
  const [, part = ''] = text.split(`\n## ${heading}\n`)
  return part.split('\n## ')[0]!
}

function formatList(path: string, pages: readonly DocumentPage[]): string {
  const name = posix.basename(path)
  const entries = pages.filter(({ address }) => posix.dirname(address) === path)
  const lines = entries.map(({ address, title }) => `- [${title}](${posix.basename(address)}.md)`)
  return `# ${name[0]!.toUpperCase()}${name.slice(1)}\n\n${lines.join('\n')}\n`
}

interface Around extends Sources {
  readonly files: readonly string[]
  readonly addresses: ReadonlyMap<string, string>
  readonly titles: ReadonlyMap<string, string>
}

function renderPage(path: string, text: string, { files, addresses, titles, addressOf }: Around): DocumentPage {
  const own = addresses.get(path) ?? posix.dirname(path)
  const sections: Section[] = []
  let title = ''
  const nameOnce = namesOnce()

  /** File that a link leads to, and its address; undefined for one that is not served, as it lies where the server is installed. */
  function resolve(target: string): { readonly file: string; readonly address: string | undefined } {
    const [to, anchor] = target.split('#', 2) as [string, string | undefined]
    if (/^[a-z]+:/.test(to)) return { file: to, address: target }
    const file = to === '' ? path : posix.join(posix.dirname(path), decodeURI(to))
    const address = to === '' ? own : (addresses.get(file) ?? (files.includes(file) ? addressOf(file) : undefined))
    return { file, address: address === undefined || anchor === undefined ? address : `${address}#${anchor}` }
  }

  const marked = new Marked({
    renderer: {
      heading(content, level, raw) {
        const anchor = nameOnce(anchorOf(raw))
        if (level === 1) title = raw
        if (level === 2) sections.push({ anchor, title: content })
        const words = level === 1 ? content : `<a href="${own}#${anchor}">${content}</a>`
        return `<h${level} id="${anchor}">${words}</h${level}>\n`
      },
      link(href, _title, words) {
        const { file, address } = resolve(href)
        // A name of a file says less than its title.
        const title = words.endsWith('.md') ? titles.get(file) : undefined
        if (address !== undefined) return `<a href="${escapeText(address)}">${title ? escapeText(title) : words}</a>`
        return words === file ? `<code>${words}</code>` : `${words} (<code>${escapeText(file)}</code>)`
      },
      image: (href, _title, words) =>
        `<img src="${escapeText(resolve(href).address ?? href)}" alt="${words}" loading="lazy">`,
      table: (head, body) =>
        `<div class="wide" tabindex="0"><table><thead>${head}</thead><tbody>${body}</tbody></table></div>\n`,
      code: (code) => `<pre tabindex="0"><code>${escapeText(code)}</code></pre>\n`,
      html: (markup: string) => markup.replace(/<!--[\s\S]*?-->\n?/g, ''),
    },
  })
  const content = marked.parse(text, { async: false }) as string
  return { address: own, title, content, sections }
}

/** Names of headings as GitHub makes them: their words, with a number from the second of one name on. */
function namesOnce(): (name: string) => string {
  const counts = new Map<string, number>()
  return (name) => {
    const count = counts.get(name) ?? 0
    counts.set(name, count + 1)
    return count === 0 ? name : `${name}-${count}`
  }
}

/** Anchor of a heading, as GitHub makes it. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
    .replaceAll(' ', '-')
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
