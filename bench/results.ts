/** What is kept of a run: the figures and their drawing. Each kind of run replaces its own. */
import { readFileSync, writeFileSync } from 'node:fs'
import { draw } from './drawing.ts'
import type { Peer } from './peers.ts'
import type { ContentPeer } from './peers-content.ts'
import type { Result } from './result.ts'

export interface Results {
  readonly floor?: readonly Result[]
  readonly growth?: readonly Result[]
  readonly content?: readonly Result[]
  readonly peers?: readonly Peer[]
  readonly peersContent?: readonly ContentPeer[]
}

const file = new URL('results.json', import.meta.url)
const drawing = new URL('results.svg', import.meta.url)

export function keep(results: Results): void {
  const kept: Results = { ...readKept(), ...results }
  writeFileSync(file, `${JSON.stringify(kept, null, 2)}\n`)
  writeFileSync(drawing, draw([...(kept.floor ?? []), ...(kept.growth ?? [])]))
}

function readKept(): Results {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return {}
  }
}
