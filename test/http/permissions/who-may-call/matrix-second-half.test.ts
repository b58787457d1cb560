import { afterAll, beforeAll, beforeEach } from 'vitest'
import { BothOrganizations } from './both-organizations.ts'
import { checkCallers } from './check-callers.ts'

/** The other half of the matrix: two workers share the time that it takes. */

let organizations: BothOrganizations

beforeAll(async () => {
  organizations = await BothOrganizations.open()
})

// Should a request have come to no answer.
beforeEach(() => organizations.rewind())

afterAll(() => organizations[Symbol.asyncDispose]())

checkCallers(1, () => organizations)
