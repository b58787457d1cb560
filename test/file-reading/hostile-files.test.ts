import { describe, expect, test } from 'vitest'
import { doublingFile, hostileRdf } from '../support/inputs/hostile-rdf.ts'
import { openPatientReader, skosFile } from './patient-reader.ts'

const anna = { portalId: 'maps', userId: 'anna' }

describe('a hostile file ends in an answer', () => {
  const reader = openPatientReader()

  test.each(Object.entries(hostileRdf))('%s', async (_, [text, refusal]) => {
    const reading = await reader.read(skosFile(text), anna)
    expect('problems' in reading && reading.problems.join(' ')).toContain(refusal)
  })

  test('concepts that are doubled at each level', async () => {
    const reading = await reader.read(skosFile(doublingFile, { polyhierarchy: 'duplicate' }), anna)
    expect('problems' in reading && reading.problems.join(' ')).toContain(
      'more than a billion categories on 60 levels (2, 4, 8,',
    )
  })
})
