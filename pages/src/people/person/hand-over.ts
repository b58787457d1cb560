import { html, nothing } from 'lit'
import { property, state } from 'lit/decorators.js'
import type { WireUserView } from '../../../../src/http/shapes/directory/user.ts'
import type { WireApp } from '../../../../src/http/shapes/oauth/app.ts'
import { ApiError } from '../../api/call.ts'
import { choice, field, readFields } from '../../elements/fields.ts'
import { Action, announce, button, PageElement } from '../../elements/page.ts'
import { PersonSuggestions } from '../../forms/person-suggestions.ts'
import { cancelJob, followJob, type Job } from '../../session/job.ts'
import { listPages } from '../../session/list-pages.ts'
import { call, contentPath, groupPath, may, post, userPath } from '../../session/session.ts'
import { ofPeoplePerson as t } from '../../texts/rooms.ts'

/** Account of the person after their things are handed over. */
const ends = ['keep', 'disable', 'delete'] as const
type End = (typeof ends)[number]

/** Things that a person owns. */
interface Owned {
  /** Undefined where the caller may not see them. */
  readonly items: number | undefined
  readonly groups: readonly { readonly id: string; readonly title: string }[]
  /** Titles of apps. */
  readonly apps: readonly string[]
}

/**
 * Hands over what a person owns who leaves, and disables or deletes their account: one dialog, which says what they own. Emits
 * `done` after a change, and `deleted` after the deletion.
 */
class HandOver extends PageElement {
  @property({ attribute: false }) user!: WireUserView

  @state() end: End = 'keep'
  @state() owned: Owned | undefined
  /** Whether items are given to another person, rather than deleted. */
  @state() givesItems = true
  @state() progress: Pick<Job, 'done' | 'total'> | undefined

  readonly #reading = new Action(this)
  readonly #persons = new PersonSuggestions(this, 'disabled:"false"')

  override render() {
    const { user, end } = this
    const { username } = user
    const mayGive = may('transferItems', user)
    const mayDelete = may('deleteUser', user)
    return html`<div class="row">
        ${mayGive ? button(t('handOver'), { id: 'hand-over', onClick: () => this.#open('keep') }) : nothing}
        ${mayDelete ? button(t('delete'), { id: 'delete', variant: 'danger', appearance: 'outlined', onClick: () => this.#open('delete') }) : nothing}
      </div>
      <cartulary-dialog-form
        ?danger=${end === 'delete'} heading=${t(end === 'delete' ? 'deleteHeading' : 'handOverHeading', { username })}
        action=${t(end === 'delete' ? 'delete' : 'handOverAction')} typed=${end === 'delete' ? username : ''}
        .work=${this.#run}
        @done=${() => this.dispatchEvent(new Event(this.end === 'delete' ? 'deleted' : 'done'))}
      >
        ${this.owned ? this.#renderOwned(this.owned, mayGive) : nothing}
        ${this.#renderEnd(mayGive, mayDelete)}
        <p role="status">${this.progress ? t('handOverProgress', { ...this.progress }) : nothing}</p>
      </cartulary-dialog-form>`
  }

  #renderOwned({ items, groups, apps }: Owned, mayGive: boolean) {
    const { username } = this.user
    const ownsNothing = items === 0 && groups.length === 0
    if (ownsNothing) return html`<p>${t('ownsNothing', { username })}</p>`
    return html`<p>${t('ownsThese', { username })}</p>
      <ul>
        ${items === undefined || items > 0 ? html`<li>${items === undefined ? t('ownsSomeItems') : t('ownsItems', { count: items })}</li>` : nothing}
        ${groups.map(({ title }) => html`<li>${t('ownsGroup')} <bdi>${title}</bdi></li>`)}
      </ul>
      ${apps.length > 0 ? html`<p>${t('deleteApps')} ${apps.map((title) => html`<bdi>${title}</bdi> `)}</p>` : nothing}
      ${mayGive ? this.#renderTarget(items !== 0, groups.length > 0) : html`<p>${t('mayNotGive')}</p>`}`
  }

  #renderTarget(hasItems: boolean, hasGroups: boolean) {
    return html`${
      hasItems
        ? choice(
            'items',
            t('itemsThen'),
            ['give', 'delete'],
            (each) => t(each === 'give' ? 'itemsGive' : 'itemsDelete'),
            this.givesItems ? 'give' : 'delete',
            { onChange: (each) => (this.givesItems = each === 'give') },
          )
        : nothing
    }
    ${
      hasGroups || this.givesItems
        ? html`${field('target', t('target'), { required: true, list: 'persons', isCode: true, onInput: this.#persons.suggest, hint: html`<span role="status">${this.#persons.renderNameOr(t('targetHint'))}</span>` })}
            ${this.#persons.renderList('persons')}`
        : nothing
    }`
  }

  #renderEnd(mayGive: boolean, mayDelete: boolean) {
    const { user, end } = this
    const offered: readonly End[] = ends.filter(
      (each) =>
        (each === 'keep' && mayGive) ||
        (each === 'disable' && mayGive && !user.disabled && may('disableUser', user)) ||
        (each === 'delete' && mayDelete),
    )
    const note = { keep: nothing, disable: t('endDisableText'), delete: t('deleteText') }[end]
    return html`${offered.length > 1 ? choice('end', t('accountThen'), offered, (each) => t(`end_${each}`), end, { onChange: (value) => (this.end = value) }) : nothing}
    <p>${note}</p>`
  }

  async #open(end: End): Promise<void> {
    this.end = end
    this.givesItems = true
    this.progress = undefined
    const isRead = await this.#reading.run(async (signal) => (this.owned = await loadOwned(this.user, signal)))
    if (!isRead) return
    await this.openDialog()
  }

  readonly #run = async (signal: AbortSignal): Promise<void> => {
    const { user, end, owned } = this
    const { username } = user
    const path = userPath(username)
    const { target } = readFields(this.dialogOf())
    const targetUsername = target?.trim()
    if (owned && may('transferItems', user)) {
      // Before the items, which stay in groups that their new owner belongs to.
      for (const { id } of owned.groups) {
        await post(`${groupPath(id)}/reassign`, { targetUsername })
        // They are given already where what follows is refused, and the dialog is sent again.
        this.owned = { ...this.owned!, groups: this.owned!.groups.filter((group) => group.id !== id) }
      }
      if (owned.items !== 0) await this.#transfer(path, this.givesItems ? { targetUsername } : { delete: true }, signal)
    }
    if (signal.aborted) return
    if (end === 'disable') await setDisabled(username, true)
    if (end === 'delete') await post(`${path}/delete`)
    announce(t(end === 'delete' ? 'deleted' : 'handedOver', { username }))
  }

  async #transfer(
    path: string,
    to: Readonly<Record<string, string | true | undefined>>,
    signal: AbortSignal,
  ): Promise<void> {
    const { jobId } = await post<{ readonly jobId: string }>(`${path}/transferItems`, to)
    // One that has ended meanwhile cannot be cancelled: its end is read next.
    signal.addEventListener('abort', () => void cancelJob(jobId).catch(() => {}))
    const job = await followJob(jobId, (progress) => (this.progress = progress))
    if (job.failures.length > 0) {
      const details = job.failures.map(({ itemId, message }) => (itemId ? `${message} (${itemId})` : message))
      const [message = ''] = details
      // The account stays: some of its items are still its own.
      throw new ApiError({ code: 400, message, details }, undefined)
    }
    this.owned = { ...this.owned!, items: 0, apps: [] }
  }
}

async function loadOwned({ username, groups }: WireUserView, signal: AbortSignal): Promise<Owned> {
  const [items, apps] = await Promise.all([
    countItems(username, signal),
    may('listApps') ? listApps(username, signal) : [],
  ])
  return { items, groups: groups.filter(({ userMembership }) => userMembership.memberType === 'owner'), apps }
}

/** Undefined where the caller may not see them, or they cannot be read: then the handover says what there was. */
async function countItems(username: string, signal: AbortSignal): Promise<number | undefined> {
  const path = contentPath(username)
  return call<{ readonly total: number }>(path, { num: 1 }, { signal }).then(
    ({ total }) => total,
    () => undefined,
  )
}

/** Titles of the apps of a user; none if they cannot be read, as the refusal of a deletion names them too. */
async function listApps(username: string, signal: AbortSignal): Promise<readonly string[]> {
  const { entries } = await listPages<WireApp>('/oauth2/apps', 'apps', signal).catch(() => ({ entries: [] }))
  return entries.filter(({ owner }) => owner === username).map(({ title }) => title)
}

export async function setDisabled(username: string, disabled: boolean): Promise<void> {
  const operation = disabled ? 'disableUsers' : 'enableUsers'
  const { results } = await post<{
    readonly results: readonly { readonly status: boolean; readonly reason?: string }[]
  }>(`/portals/self/${operation}`, { users: username })
  const refused = results.find(({ status }) => !status)
  if (refused) throw new ApiError({ code: 400, message: refused.reason ?? username }, undefined)
}

customElements.define('cartulary-hand-over', HandOver)
