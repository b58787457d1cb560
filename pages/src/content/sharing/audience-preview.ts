import { Task } from '@lit/task'
import { html, nothing } from 'lit'
import { property } from 'lit/decorators.js'
import type { WireGroup } from '../../../../src/http/shapes/directory/group.ts'
import { ApiError } from '../../api/call.ts'
import { PageElement } from '../../elements/page.ts'
import { call, groupPath, signedIn } from '../../session/session.ts'
import { ofContentSharing as t } from '../../texts/rooms.ts'
import type { ItemLevel } from './audience.ts'

export type SharingGroup = Pick<WireGroup, 'id' | 'title' | 'capabilities' | 'isViewOnly' | 'userMembership'>

/** Preview of who will see what is shared: in words, and with numbers where the person may know them. */
class AudiencePreview extends PageElement {
  /** Undefined where the level stays. */
  @property() level: ItemLevel | undefined
  @property({ attribute: false }) groups: readonly SharingGroup[] = []
  /** Username; undefined for items of several owners. */
  @property() owner: string | undefined

  readonly #audience = new Task(this, {
    args: () => [this.level, this.groups.map(({ id }) => id).join()] as const,
    task: async ([level, ids], { signal }) => {
      const wanted = ids === '' ? [] : ids.split(',')
      const [organization, ...counts] = await Promise.all([
        level === 'org' ? countPeople('/portals/self/users', signal) : undefined,
        ...wanted.map(async (id) => {
          const members = await countPeople(`${groupPath(id)}/userList`, signal)
          // The owner is not among them.
          return members === undefined ? undefined : members + 1
        }),
      ])
      return { organization, groups: new Map(wanted.map((id, at) => [id, counts[at]])) }
    },
  })

  override render() {
    const lines = this.#listAudience()
    return lines.length === 0
      ? nothing
      : html`<section class="panel" aria-live="polite">
          <h3>${t(this.level === undefined ? 'audienceToo' : 'audience')}</h3>
          <ul>${lines.map((line) => html`<li>${line}</li>`)}</ul>
        </section>`
  }

  #listAudience(): readonly string[] {
    const audience = this.#audience.value
    const givesControl = this.groups.filter(({ capabilities }) => capabilities.includes('updateitemcontrol'))
    return [
      ...this.#listOfLevel(audience?.organization),
      ...this.groups.map(({ id, title }) => {
        const count = audience?.groups.get(id)
        return count === undefined ? t('members', { title }) : t('membersOf', { title, count })
      }),
      ...givesControl.map(({ title }) => t('mayChange', { title })),
    ]
  }

  #listOfLevel(count: number | undefined): readonly string[] {
    const { level, owner } = this
    if (level === undefined) return []
    if (level === 'public') return [t('everyone')]
    if (level === 'org') return [count === undefined ? t('organization') : t('organizationOf', { count })]
    if (owner === undefined) return [t('owners')]
    return [owner === signedIn()?.username ? t('onlyYou') : t('onlyOwner', { owner })]
  }
}

/** Number of people in a list; undefined where the person does not see it. */
async function countPeople(path: string, signal: AbortSignal): Promise<number | undefined> {
  try {
    return (await call<{ readonly total: number }>(path, { num: 1 }, { signal })).total
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

customElements.define('cartulary-audience-preview', AudiencePreview)
