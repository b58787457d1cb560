import { afterAll, beforeAll, beforeEach } from 'vitest'
import { type Actors, openActors } from '../../../support/portal/actors.ts'
import { wantedRoles } from './expectations/case.ts'
import { expectations } from './expectations/table.ts'

/** Milliseconds. */
const minute = 60_000

/** One set of users twice, in a private and in a public organization, with the roles that the expectations need. */
export class BothOrganizations implements AsyncDisposable {
  readonly private: Actors
  readonly public: Actors
  #isLater = false

  private constructor(inPrivate: Actors, inPublic: Actors) {
    this.private = inPrivate
    this.public = inPublic
  }

  static async open(): Promise<BothOrganizations> {
    const cases = Object.values(expectations).flat()
    const wantedIn = (access: 'public' | undefined) => cases.filter((one) => one.access === access).map(wantedRoles)
    return new BothOrganizations(
      await openActors('private', wantedIn(undefined)),
      await openActors('public', wantedIn('public')),
    )
  }

  /** Everything as it began, in another minute: of one, only so many refusals have an entry each. */
  async rewind(): Promise<void> {
    this.#isLater = !this.#isLater
    for (const { database } of [this.private, this.public]) {
      database.portal.clock.now += this.#isLater ? minute : -minute
      await database.rewind()
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.private[Symbol.asyncDispose]()
    await this.public[Symbol.asyncDispose]()
  }
}

/** Both organizations for the tests of a file, each of which finds everything as it began. */
export function useBothOrganizations(): () => BothOrganizations {
  let organizations: BothOrganizations
  beforeAll(async () => {
    organizations = await BothOrganizations.open()
  })
  // Should a request have come to no answer.
  beforeEach(() => organizations.rewind())
  afterAll(() => organizations[Symbol.asyncDispose]())
  return () => organizations
}
