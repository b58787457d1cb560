import { hash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { ownSegments } from '../transport/context-path.ts'

/** The application in the browser as `npm run pages` has built it, in memory: no path of a request reaches the disk. */
export interface Application {
  /** The page that every screen begins with; it has its own address in `<base href="/">`. */
  readonly page: string
  /** First segments of the paths that are screens. */
  readonly screens: readonly string[]
  /** Files whose names change with their content, by their paths below `assets/`. */
  readonly assets: ReadonlyMap<string, BuiltFile>
  /** Files that pages of other origins load, by their paths below `picker/`. */
  readonly picker: ReadonlyMap<string, BuiltFile>
  /** Pages of the documentation by their addresses, such as `docs/governing`; each has its own address as `page` has it. */
  readonly documents: ReadonlyMap<string, string>
}

export interface BuiltFile {
  readonly contentType: string
  /** The file as it is, and in the encodings in which it is smaller. */
  readonly bodies: Readonly<Partial<Record<Encoding, Body>>> & { readonly identity: Body }
}

export interface Body {
  readonly bytes: Buffer
  /** Strong entity tag, so each encoding has its own. */
  readonly tag: string
}

/** Encodings in which the build writes files, the smallest first. */
export const encodings = ['br', 'gzip'] as const
export type Encoding = (typeof encodings)[number]

const endings: Readonly<Record<Encoding, string>> = { br: '.br', gzip: '.gz' }

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** First segments of everything that is served of it. */
export function pathsOf(application: Application | undefined): readonly string[] {
  return application ? ['assets', 'picker', 'docs', ...application.screens] : []
}

/** Folder of the build, at the same place beside the sources and in a release. */
const builtFolder = fileURLToPath(new URL('../../../pages/dist/', import.meta.url))

let found: { readonly application: Application | undefined } | undefined

/** The application of this program, read once; undefined where it is not built. */
export function findBuiltApplication(): Application | undefined {
  found ??= { application: readApplication(builtFolder) }
  return found.application
}

/** Reads what was built into a folder; undefined if there is nothing. An Error names what is wrong with it. */
export function readApplication(folder: string): Application | undefined {
  const description = join(folder, 'built.json')
  if (!existsSync(description)) return undefined
  const { screens } = JSON.parse(readFileSync(description, 'utf8')) as { readonly screens: readonly string[] }
  const taken = screens.find((screen) => ownSegments.includes(screen.toLowerCase()))
  if (taken !== undefined) throw new Error(`${description}: the screen ${taken} has an address of the server itself.`)
  return {
    page: readFileSync(join(folder, 'index.html'), 'utf8'),
    screens,
    assets: readFiles(join(folder, 'assets')),
    picker: readFiles(join(folder, 'picker')),
    documents: readDocuments(join(folder, 'documents')),
  }
}

function readDocuments(folder: string): ReadonlyMap<string, string> {
  if (!existsSync(folder)) return new Map()
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.html'))
  return new Map(
    paths.map((path) => [
      path.slice(0, -'.html'.length).replaceAll('\\', '/'),
      readFileSync(join(folder, path), 'utf8'),
    ]),
  )
}

function readFiles(folder: string): ReadonlyMap<string, BuiltFile> {
  if (!existsSync(folder)) return new Map()
  const names = new Set(readdirSync(folder))
  const files = [...names].filter((name) => !Object.values(endings).some((ending) => name.endsWith(ending)))
  return new Map(files.map((name) => [name, readBuiltFile(folder, name, names)]))
}

function readBuiltFile(folder: string, name: string, names: ReadonlySet<string>): BuiltFile {
  const bodies = encodings
    .filter((encoding) => names.has(`${name}${endings[encoding]}`))
    .map((encoding) => [encoding, bodyOf(readFileSync(join(folder, `${name}${endings[encoding]}`)))] as const)
  return {
    contentType: contentTypes[extname(name)] ?? 'application/octet-stream',
    bodies: { ...Object.fromEntries(bodies), identity: bodyOf(readFileSync(join(folder, name))) },
  }
}

/** A text of the program as a file: as bytes, since encoding a megabyte takes a millisecond of the thread. */
export function fileOf(contentType: string, text: string): BuiltFile {
  const bytes = Buffer.from(text)
  return { contentType, bodies: { gzip: bodyOf(gzipSync(bytes)), identity: bodyOf(bytes) } }
}

export function bodyOf(bytes: Buffer): Body {
  return { bytes, tag: `"${hash('sha256', bytes, 'base64url').slice(0, 22)}"` }
}
