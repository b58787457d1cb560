/** Names in the documents lead to what there is. Each test lists everything of its kind that does not. */
import { existsSync, globSync, readdirSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { runCommand } from '../../src/cli/cli.ts'
import { findCommand } from '../../src/client/command-line/arguments.ts'
import { commonOptions, isClientWord } from '../../src/client/command-line/table.ts'
import { settings } from '../../src/config.ts'
import { anchorsOf, codeIn, documents, type Line, linesOf, read, root } from './documents.ts'

const lines = documents.flatMap(linesOf)

/** Each line with the names in it that there are not. */
function findWrong(find: (line: Line) => readonly string[]): readonly string[] {
  return lines.flatMap((line) => find(line).map((name) => `${line.place} ${name}`))
}

test('links lead to files, and to headings in them', () => {
  const anchors = new Map<string, ReadonlySet<string>>()
  const hasAnchor = (path: string, anchor: string) => {
    if (!anchors.has(path)) anchors.set(path, anchorsOf(path))
    return anchors.get(path)!.has(anchor)
  }
  const isRight = (from: string, target: string) => {
    const [path, anchor] = target.split('#', 2) as [string, string | undefined]
    const to = path === '' ? from : posix.join(posix.dirname(from), decodeURI(path))
    return existsSync(new URL(to, root)) && (anchor === undefined || hasAnchor(to, anchor))
  }
  const wrong = findWrong(({ place, text, isCode }) => {
    const found = isCode
      ? []
      : [...text.replaceAll(/`[^`]*`/g, '').matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target!)
    return found.filter((target) => !/^[a-z]+:/.test(target) && !isRight(place.split(':')[0]!, target))
  })
  expect(wrong).toEqual([])
})

test('docs/screens has the pictures that documents show, and no others', () => {
  const shown = lines.flatMap(({ text }) => /^!\[[^\]]+\]\((?:docs\/)?screens\/(.+)\)$/.exec(text)?.[1] ?? [])
  expect(readdirSync(new URL('docs/screens', root)).toSorted()).toEqual(shown.toSorted())
})

test('scripts of npm are in package.json', () => {
  const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: Readonly<Record<string, string>> }
  const wrong = findWrong(({ text }) => {
    const named = [
      ...text.matchAll(/\bnpm run ([a-z][\w:-]*)/g),
      ...text.matchAll(/\bnpm (start|test|stop|restart)\b/g),
    ]
    return named.flatMap(([all, name]) => (Object.hasOwn(scripts, name!) ? [] : [all]))
  })
  expect(wrong).toEqual([])
})

/** Ways to call a command: by its name, by npm in a checkout, or by its file. */
const calls =
  /(?<=^|`|&& |\| |\$\()(?:sudo (?:-u \w+ )?)?(?:env (?:\S+=\S+ )+)?(?:npx )?(?:node )?(?:[\w./-]*\/)?(?:npm run )?cartulary(?:\.mjs)?(?: --(?= |$))?((?: [^\s`|;#&)]+)*)/g

test('commands and their options are those of cartulary help', async () => {
  const printed: string[] = []
  const terminal = { environment: {}, signal: new AbortController().signal, exit: () => {} }
  await runCommand(['help'], { ...terminal, print: (text) => printed.push(text), printError: () => {} })
  // A continuation line of a command has a deeper indent.
  const topics = printed
    .join('\n')
    .split(/\n {2}(?=\S)/)
    .slice(1)
  const isRight = ([command, ...rest]: readonly string[]) => {
    const options = rest.flatMap((word) => /^--[a-z-]+/.exec(word) ?? [])
    if (isClientWord(command!)) {
      const known = { ...findCommand([command!, ...rest]).command.options, ...commonOptions }
      return options.every((option) => Object.hasOwn(known, option.slice(2)))
    }
    return topics.some((topic) => {
      const [name, subcommand] = topic.split(/ {2,}|\n| (?=[<"[-])/, 1)[0]!.split(' ')
      // Without a word behind it, or with an ellipsis, all subcommands are meant.
      const isMeant = subcommand === undefined || [undefined, '…', subcommand].includes(rest[0])
      return name === command && isMeant && options.every((option) => new RegExp(`${option}(?![a-z-])`).test(topic))
    })
  }
  const wrong = findWrong((line) => {
    const texts = line.isCode ? [line.text.trim()] : codeIn(line)
    return texts
      .flatMap((text) => [...text.matchAll(calls)])
      .map(([, words]) => words!.trim().split(' '))
      .filter(([command]) => /^(--)?[a-z]/.test(command!))
      .filter((words) => !isRight(words))
      .map((words) => words.join(' '))
  })
  expect(wrong).toEqual([])
})

/** Variables of other programs, of the tests and of the examples, and names that are misspelt on purpose. */
const others = new Set([
  ...['NODE_ENV', 'NODE_EXTRA_CA_CERTS', 'NODE_IMAGE', 'POSTGRES_PASSWORD', 'SQLITE_FULL'],
  ...['TEST_DATABASE_URL', 'BROWSER_SLOWDOWN', 'PUBLIC_ULR', 'DATABASE_URI'],
  ...['CARTULARY_URL', 'CARTULARY_PROFILE', 'CARTULARY_TOKEN', 'CARTULARY_CLIENT_ID', 'CARTULARY_CLIENT_SECRET'],
  ...['ANNAS_TOKEN', 'GUESTS_TOKEN', 'NEW_PASSWORD', 'HOST_PORT', 'GUEST_PORT'],
])
/** Codes of the API's errors. */
const errorCode = /^[A-Z]+_\d{4}$/

test('settings are those of the table', () => {
  const known = new Set<string>(settings.map(({ name }) => name))
  const wrong = findWrong(({ text }) => {
    const named = [...text.matchAll(/\b[A-Z][A-Z\d]*(?:_[A-Z\d]+)+\b/g)].map(([name]) => name)
    return named.filter((name) => !known.has(name) && !others.has(name) && !errorCode.test(name))
  })
  expect(wrong).toEqual([])
})

test('paths lead to files', () => {
  const start = /^(src|test|docs|scripts|deploy|examples|pages|bench|bin)\//
  /** Made by a build, by an operator, or by a release. */
  const made = /^(pages\/dist\/|deploy\/\.env$|docs\/api\.html$)/
  const cwd = fileURLToPath(root)
  const files = ['src', 'test', 'pages/src'].flatMap((folder) =>
    readdirSync(`${cwd}${folder}`, { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`),
  )
  /** A path in a document may leave out `src`, `test` or a folder in them at its beginning. */
  const isShort = (path: string) => /^\w.*\/.*\.ts$/.test(path) || rooms.has(path.split('/', 1)[0]!)
  const rooms = new Set(files.flatMap((path) => /^(?:src|test)\/([\w-]+)\//.exec(path)?.[1] ?? []))
  const isThere = (path: string) => {
    const pattern = path.replace(/\/$/, '').replaceAll(/<\w+>/g, '*')
    if (start.test(path)) return existsSync(new URL(pattern, root)) || globSync(pattern, { cwd }).length > 0
    return /[*{]/.test(pattern)
      ? globSync(`{src,test,pages/src}/**/${pattern}`, { cwd }).length > 0
      : files.some((file) => new RegExp(`/${pattern}(?:[./]|$)`).test(file))
  }
  const wrong = findWrong((line) => {
    const paths = codeIn(line).filter((code) => /^[\w.][^\s…]*\/[^\s…]*$/.test(code) && !made.test(code))
    return paths.filter((path) => (start.test(path) || isShort(path)) && !isThere(path))
  })
  expect(wrong).toEqual([])
})
