import './audience-preview.ts'
import { Task } from '@lit/task'
import { css, html, nothing } from 'lit'
import { property, state } from 'lit/decorators.js'
import { ApiError } from '../../api/call.ts'
import { tick } from '../../elements/fields.ts'
import { announce, PageElement } from '../../elements/page.ts'
import { offerUndo } from '../../elements/undo-message.ts'
import { call, itemPath, post } from '../../session/session.ts'
import { ofContentSharing as t } from '../../texts/rooms.ts'
import { changedItems } from '../changed-items.ts'
import { type ItemLevel, levelOf, planSharing, type Sharing } from './audience.ts'
import type { SharingGroup } from './audience-preview.ts'

interface SharedItem {
  readonly id: string
  readonly owner: string
  readonly access: ItemLevel | 'shared'
}

const levels = ['private', 'org', 'public'] as const

/** Dialog to share an item, with a preview of who will see it. */
export class ShareItem extends PageElement {
  static override styles = css`
    :host {
      display: contents;
    }
  `

  @property({ attribute: false }) item!: SharedItem
  /** Groups that have the item. */
  @property({ attribute: false }) groups: readonly SharingGroup[] = []
  @state() wanted: Sharing = { level: 'private', groups: [] }
  @state() isOpen = false

  readonly #own = new Task(this, {
    args: () => [this.isOpen] as const,
    task: async ([isOpen], { signal }) => {
      if (!isOpen) return []
      return (await call<{ readonly groups: readonly SharingGroup[] }>('/community/self', {}, { signal })).groups
    },
  })

  open(): void {
    this.wanted = this.#present
    this.isOpen = true
    void this.openDialog()
  }

  get #present(): Sharing {
    return { level: levelOf(this.item.access), groups: this.groups.map(({ id }) => id) }
  }

  /** Groups that have the item, and those that the person may share it with. */
  get #choices(): readonly SharingGroup[] {
    const known = new Set(this.groups.map(({ id }) => id))
    const own = (this.#own.value ?? []).filter(
      ({ id, isViewOnly, userMembership: { memberType } }) =>
        !known.has(id) && (!isViewOnly || memberType === 'owner' || memberType === 'admin'),
    )
    return [...this.groups, ...own]
  }

  override render() {
    const present = this.#present
    const choices = this.#choices
    return html`<cartulary-dialog-form
      heading=${t('shareItem')} action=${t('share')} .work=${this.#share} @closed=${() => (this.isOpen = false)}
    >
      <div class="stack" @change=${this.#read}>
        <fieldset class="stack">
          <legend>${t('level')}</legend>
          <div>
            ${levels.map((level) => tick(t(`level_${level}`), level === present.level, { type: 'radio', name: 'level', value: level }))}
          </div>
        </fieldset>
        ${
          choices.length === 0
            ? nothing
            : html`<fieldset class="stack">
                <legend>${t('groups')}</legend>
                <div class="scrolled">
                  ${choices.map(({ id, title }) => tick(html`<bdi>${title}</bdi>`, present.groups.includes(id), { name: 'group', value: id }))}
                </div>
              </fieldset>`
        }
        <cartulary-audience-preview
          .level=${this.wanted.level} .owner=${this.item.owner} .groups=${choices.filter(({ id }) => this.wanted.groups.includes(id))}
        ></cartulary-audience-preview>
      </div>
    </cartulary-dialog-form>`
  }

  #read(event: Event): void {
    const root = event.currentTarget as HTMLElement
    const level = root.querySelector<HTMLInputElement>('[name=level]:checked')?.value as ItemLevel | undefined
    const ticked = [...root.querySelectorAll<HTMLInputElement>('[name=group]:checked')]
    this.wanted = { level: level ?? this.wanted.level, groups: ticked.map(({ value }) => value) }
  }

  readonly #share = async () => {
    const { item, wanted } = this
    const present = this.#present
    // The preview has said that members of such groups may change the item.
    const givesControl = this.#choices.filter(({ capabilities }) => capabilities.includes('updateitemcontrol'))
    const controlled = givesControl.map(({ id }) => id)
    if (!(await apply(item, present, wanted, controlled))) return
    announce(t('shared'))
    offerUndo(t('shared'), async () => {
      await apply(item, wanted, present, controlled)
    })
  }
}

/** Brings the sharing to the wanted state; returns whether there was something to change. `controlled`: groups that give control. */
async function apply(
  { id, owner }: SharedItem,
  present: Sharing,
  wanted: Sharing,
  controlled: readonly string[],
): Promise<boolean> {
  const { share, unshare } = planSharing(present, wanted)
  const path = `/content/items/${encodeURIComponent(id)}`
  try {
    if (share) {
      const confirmItemControl = wanted.groups.some((group) => controlled.includes(group)) || undefined
      requireAll(await post<Shared>(`${itemPath(owner, id)}/share`, { ...share, confirmItemControl }))
    }
    if (unshare) requireAll(await post<Shared>(`${path}/unshare`, unshare))
  } finally {
    changedItems.emit()
  }
  return share !== undefined || unshare !== undefined
}

export interface Shared {
  readonly notSharedWith?: readonly string[]
  readonly notUnsharedFrom?: readonly string[]
  readonly reasons?: Readonly<Record<string, string>>
}

/** Throws the reasons why some of the groups were refused. */
function requireAll({ notSharedWith = [], notUnsharedFrom = [], reasons = {} }: Shared): void {
  if (notSharedWith.length + notUnsharedFrom.length === 0) return
  const [message = '', ...details] = new Set(Object.values(reasons))
  throw new ApiError({ code: 403, message, details }, undefined)
}

customElements.define('cartulary-share-item', ShareItem)
