import { type Cast, startCast } from '../../../support/portal/cast.ts'
import { wantedRoles } from './case.ts'
import { expectations } from './expectations.ts'

/** The same people twice, in a private and in a public organization, with the roles that the expectations need. */
export class Casts implements AsyncDisposable {
  readonly private: Cast
  readonly public: Cast

  private constructor(inPrivate: Cast, inPublic: Cast) {
    this.private = inPrivate
    this.public = inPublic
  }

  static async start(): Promise<Casts> {
    const cases = Object.values(expectations).flat()
    const wantedIn = (access: 'public' | undefined) => cases.filter((one) => one.access === access).map(wantedRoles)
    return new Casts(await startCast('private', wantedIn(undefined)), await startCast('public', wantedIn('public')))
  }

  /** Everything as it began. */
  async rewind(): Promise<void> {
    await this.private.database.rewind()
    await this.public.database.rewind()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.private[Symbol.asyncDispose]()
    await this.public[Symbol.asyncDispose]()
  }
}
