import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { type DocumentPage, renderDocuments } from '../../../pages/build/documents.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const pages = renderDocuments({
  root,
  addressOf: (path) => (existsSync(root + path) ? `assets/${path}` : `missing/${path}`),
})
const anchors = new Map(
  pages.map(({ address, content }) => [address, new Set([...content.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!))]),
)

function findDead({ address, content }: DocumentPage): readonly string[] {
  const targets = [...content.matchAll(/ (?:href|src)="([^"]*)"/g)].map(([, target]) => target!)
  const dead = targets.filter((target) => {
    if (/^(https?:|mailto:|assets\/)/.test(target)) return false
    const [to, anchor] = target.split('#') as [string, string | undefined]
    return !anchors.has(to) || (anchor !== undefined && !anchors.get(to)!.has(anchor))
  })
  return dead.map((target) => `${address}: ${target}`)
}

test('every link of the rendered documents leads to a page, and to a heading of it', () => {
  expect(pages.flatMap(findDead)).toEqual([])
})

test('each document is a page with its title, and is found from the index', () => {
  const linked = new Set(pages.flatMap(({ content }) => [...content.matchAll(/ href="([^"#]+)/g)].map(([, to]) => to!)))
  expect(pages.filter(({ title }) => title === '')).toEqual([])
  expect(pages.map(({ address }) => address).filter((address) => !linked.has(address))).toEqual([])
  expect(pages.length).toBeGreaterThan(60)
})
