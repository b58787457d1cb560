/** The figures of the last run of each kind. */
import { readFileSync, writeFileSync } from 'node:fs'
import type { Result } from './result.ts'

type Results = Readonly<Record<string, readonly Result[]>>

const file = new URL('results.json', import.meta.url)

/** Replaces the last run of that kind. */
export function keep(kind: string, results: readonly Result[]): void {
  const kept: Results = { ...readKept(), [kind]: results }
  writeFileSync(file, `${JSON.stringify(kept, null, 2)}\n`)
}

function readKept(): Results {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return {}
  }
}
