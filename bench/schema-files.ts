/** Time that parsing a large file of categories takes. */
import { groupLimits } from '../src/categories/limits.ts'
import { openSchemaFileReader } from '../src/file-reading/threaded-reader.ts'
import { defaultSkosOptions } from '../src/schema-files/skos/options.ts'
import { type Figure, figureOf, type Run } from './result.ts'

const mebibyte = 1024 * 1024
const reader = openSchemaFileReader()

/** Seconds for parsing 1 MiB of Turtle, including the start of the thread. */
export async function skosReading({ rounds }: Run): Promise<Figure> {
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const begun = performance.now()
    await readLargeSkos()
    times.push((performance.now() - begun) / 1000)
  }
  return figureOf(times)
}

async function readLargeSkos(): Promise<void> {
  const options = { ...defaultSkosOptions, languages: ['en'] }
  const reading = await reader.read(
    { format: 'skos', text: largeSkos, options, limits: groupLimits },
    { portalId: 'bench', userId: 'bench' },
  )
  if ('problems' in reading) throw new Error(reading.problems.join(' '))
}

/** 150 concepts with labels in many languages, like those of the European Union. */
export const largeSkos = writeLargeSkos()

function writeLargeSkos(): string {
  const concepts = 150
  const head =
    '@prefix : <https://example.org/> . @prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n' +
    ':s a skos:ConceptScheme ; skos:prefLabel "Scheme" .\n'
  const lines = Array.from({ length: concepts }, (_, number) => `:c${number} a skos:Concept ; skos:topConceptOf :s .\n`)
  let text = head + lines.join('')
  for (let number = 0; ; number += 1) {
    const language = number < concepts ? 'en' : `x-l${Math.floor(number / concepts)}`
    const line = `:c${number % concepts} skos:prefLabel "Label ${number}"@${language} .\n`
    if (text.length + line.length > mebibyte) return text
    text += line
  }
}
