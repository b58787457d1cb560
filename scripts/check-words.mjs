/**
 * Words that readers of this field stumble over, in code and documents: `node scripts/check-words.mjs [paths]` lists where they
 * are. A comment begins with its noun or verb, and a limit is a `max…`, a `min…`, a `…Timeout` or an `…Interval`.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import process, { argv } from 'node:process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))

const firstWords = /^(?:What|Whose|Those|Of|The same)\b/
const prefixes = /\b(?:most|longest|least|between)[A-Z]\w*/g
/** Table of the words in CONTRIBUTING.md: those that are not used, and those that take their place. */
const table = /^### Words\n(.*?)^## /ms.exec(readFileSync(`${root}CONTRIBUTING.md`, 'utf8'))[1]
const notUsed = [...table.matchAll(/^\| (?!not used)([a-z][^|]*) \|/gm)].flatMap(([, cell]) => cell.split(', '))
const words = new RegExp(`\\b(?:${notUsed.join('|')})s?\\b`, 'gi')

/** Beginnings of comments; consecutive lines of `//` are one comment. */
const comments = /(?:^|(?<=[\s;{(,]))(?:\/\*\*?[ \t]*(?:\n\s*\*[ \t]*)?|(?<!^\s*\/\/[^\n]*\n\s*)\/\/ )([^\s*][^\n]*)/gm
/** Comments and names of tests: tests and benchmarks may send any word. */
const proseOfTests = /(?:^|\s)(?:\/\/ |\/\*\*? |\* )[^\n]*|\b(?:test|describe)\b[^\n'"`]*\(\s*(['"`]).*?\1/gm
const fences = /^```.*?^```$/gms

const paths = argv.slice(2)
const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...paths], { cwd: root, encoding: 'utf8' })
const findings = listed.trim().split('\n').flatMap(inspect)
if (findings.length > 0) {
  console.log(findings.join('\n'))
  console.log(`${findings.length} places; CONTRIBUTING.md has the words that take their place.`)
  process.exitCode = 1
}

/** Places of one file, with their lines. */
function inspect(path) {
  const isCode = /\.(?:ts|mjs|cjs|sh)$/.test(path)
  if (path === 'scripts/check-words.mjs' || !(isCode || /\.md$/.test(path))) return []
  const text = readFileSync(`${root}${path}`, 'utf8')
  const found = []
  const add = (at, what) => found.push(`${path}:${text.slice(0, at).split('\n').length}: ${what}`)
  if (isCode) {
    for (const { index, 0: all, 1: beginning } of text.matchAll(comments)) {
      if (firstWords.test(beginning)) add(index + all.length - beginning.length, beginning)
    }
    for (const { index, 0: name } of text.matchAll(prefixes)) add(index, name)
  }
  for (const { index, 0: part } of prosesOf(path, text)) {
    for (const { index: at, 0: word } of part.matchAll(words)) add(index + at, word)
  }
  return found
}

function prosesOf(path, text) {
  if (/^(?:test|bench)\//.test(path)) return [...text.matchAll(proseOfTests)]
  const prose = path.endsWith('.md') ? [fences, table].reduce(blank, text) : text
  return [{ index: 0, 0: prose }]
}

function blank(text, part) {
  return text.replaceAll(part, (found) => found.replaceAll(/[^\n]/g, ' '))
}
