import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { type Application, readApplication } from '../../../src/http/application/application.ts'
import { Folder } from './process.ts'

/** A text that gets smaller in every encoding. */
export const script = 'export const greeting = "Good morning"\n'.repeat(50)

const page = `<!doctype html>
<html lang="en">
<head><base href="/"><title>Cartulary</title><script type="module" src="./assets/index-C3dDwjx9.js"></script></head>
</html>
`

/** A small application as the build writes it. */
export const builtFiles: Readonly<Record<string, string | Uint8Array>> = {
  'built.json': JSON.stringify({ sources: 'a digest', screens: ['organization', 'first-run'] }),
  'index.html': page,
  'assets/index-C3dDwjx9.js': script,
  'assets/index-C3dDwjx9.js.br': brotliCompressSync(script),
  'assets/index-C3dDwjx9.js.gz': gzipSync(script),
  'assets/icon-YeodzRfT.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'documents/docs.html': '<!doctype html><base href="/"><title>Documentation</title>',
  'documents/docs/decisions/0001-errors.html': '<!doctype html><base href="/"><title>Errors</title>',
  'picker/cartulary-category-picker.js': script,
  'picker/cartulary-category-picker.js.br': brotliCompressSync(script),
}

/** Reads an application from a folder with these files. */
export function buildApplication(files: Readonly<Record<string, string | Uint8Array>> = builtFiles): Application {
  using folder = new Folder()
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder.path, path)), { recursive: true })
    writeFileSync(join(folder.path, path), content)
  }
  const application = readApplication(folder.path)
  if (!application) throw new Error('These files are no application.')
  return application
}
