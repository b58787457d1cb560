import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemCode } from '../../src/client/failure.ts'
import { parseJson } from '../../src/client/files/file.ts'

/** Fewer characters are no secret: they are in other words too. */
const minLength = 8

/** File in which tokens are kept, for their owner alone. */
const tokenFile = 'tokens.json'

/** Passwords, tokens and secrets of a test, which have to be in no output and no file but that of tokens. */
export class Secrets {
  readonly #known = new Set<string>()

  add(...secrets: readonly (string | undefined)[]): void {
    for (const secret of secrets) if (secret && secret.trim().length >= minLength) this.#known.add(secret.trim())
  }

  /** Throws if a text or a file below the folder shows one; tokens that are kept there become known. */
  requireHidden(by: string, text: string, folder: string): void {
    const files = listFiles(folder)
    for (const path of files.filter((one) => one.endsWith(tokenFile))) {
      const kept = parseJson(readIfThere(path)) as { tokens?: Record<string, { token?: string }> } | undefined
      this.add(...Object.values(kept?.tokens ?? {}).map(({ token }) => token))
    }
    const others = files.filter((path) => !path.endsWith(tokenFile)).map((path) => [path, readIfThere(path)])
    for (const [place, content] of [['its output', text], ...others]) {
      const shown = [...this.#known].find((secret) => content!.includes(secret))
      if (shown !== undefined) throw new Error(`${by} shows ${JSON.stringify(shown)} in ${place}.`)
    }
  }
}

/** Text of a file; empty if a command that still runs has removed it, such as a lock. */
function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return ''
    throw error
  }
}

/** Files below the folder; links are not followed. */
function listFiles(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return listFiles(path)
    return entry.isFile() ? [path] : []
  })
}
