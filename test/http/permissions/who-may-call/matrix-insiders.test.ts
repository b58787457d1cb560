import { afterAll, beforeAll, beforeEach } from 'vitest'
import { insiders } from './actor-groups.ts'
import { BothOrganizations } from './both-organizations.ts'
import { checkCallers } from './check-callers.ts'

/** Half of the matrix: with the other half in a file of its own, two workers share the time that it takes. */

let organizations: BothOrganizations

beforeAll(async () => {
  organizations = await BothOrganizations.open()
})

// Should a request have come to no answer.
beforeEach(() => organizations.rewind())

afterAll(() => organizations[Symbol.asyncDispose]())

checkCallers(insiders, () => organizations)
