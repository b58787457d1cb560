/**
 * `npm run release [-- --out <folder>]`: the artefact that is installed without npm's registry and without a compiler, its bill
 * of materials, the commands for any portal in one file, and the SHA-256 of all. Two builds of the same sources, by the same Node, have the same bytes.
 */
import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { bundleServer, unbundled } from './release/bundle.ts'
import { bundleClient, clientFile } from './release/client.ts'
import { formatPackageJson, readPackage, readProgram, readReference } from './release/contents.ts'
import { listBundled, listPackages, selectPackages } from './release/packages.ts'
import { formatBill, type Program } from './release/sbom.ts'
import { formatTar } from './release/tar.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const { values } = parseArgs({ options: { out: { type: 'string', default: join(root, 'dist') } } })

execFileSync(execPath, [join(root, 'scripts/build-pages.mjs')], { stdio: ['ignore', 2, 2] })

const manifest = readJson('package.json') as unknown as Program & Record<string, unknown>
const lock = readJson('package-lock.json')['packages'] as Parameters<typeof listPackages>[0]
const name = `${manifest.name}-${manifest.version}`
const server = await bundleServer(root)
const native = listPackages(lock, unbundled).all
const { direct, all } = selectPackages(
  listPackages(lock),
  new Set([...server.packages, ...native.map(({ path }) => path)]),
)
const ofPages = readJson('pages/dist/built.json')['packages'] as readonly string[]
const others = listBundled(lock, [...server.packages, ...ofPages], all)
const bill = formatBill(manifest, [...direct, ...others.map(({ path }) => path)], [...all, ...others], root)
const description = formatPackageJson(
  manifest,
  native.map(({ name }) => name),
)

const files = [
  ...readProgram(root),
  ...server.files,
  { path: 'docs/api.html', bytes: Buffer.from(readReference(root)), isProgram: false },
  { path: 'package.json', bytes: Buffer.from(description), isProgram: false },
  { path: 'sbom.cdx.json', bytes: Buffer.from(bill), isProgram: false },
  ...native.flatMap((released) => readPackage(root, released)),
]
const artefact = gzipSync(formatTar(files.map((file) => ({ ...file, path: `${name}/${file.path}` }))), { level: 9 })

const client = Buffer.from(await bundleClient(root))
const outputs = { [`${name}.tgz`]: artefact, [`${name}.cdx.json`]: Buffer.from(bill), [clientFile]: client }
const sums = Object.entries(outputs).map(([file, bytes]) => `${hash('sha256', bytes)}  ${file}\n`)
const out = resolve(values.out)
mkdirSync(out, { recursive: true })
for (const [file, bytes] of Object.entries(outputs)) writeFileSync(join(out, file), bytes)
writeFileSync(join(out, `${name}.sha256`), sums.join(''))
process.stdout.write(
  `${sums.join('')}${join(out, `${name}.tgz`)}: ${files.length} files, ${native.length} packages and a bundle of ${server.packages.length}, ${(artefact.length / 1e6).toFixed(1)} MB\n`,
)

function readJson(path: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(root, path), 'utf8')) as Record<string, unknown>
}
