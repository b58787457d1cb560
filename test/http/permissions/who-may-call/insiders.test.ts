import { afterAll, beforeAll, beforeEach } from 'vitest'
import { insiderLots } from './case.ts'
import { Casts } from './casts.ts'
import { testLots } from './lots.ts'

/** Half of the matrix: with the other half in a file of its own, two workers share the time that it takes. */

let casts: Casts

beforeAll(async () => {
  casts = await Casts.start()
})

// Should a request have come to no answer.
beforeEach(() => casts.rewind())

afterAll(() => casts[Symbol.asyncDispose]())

testLots(insiderLots, () => casts)
