import { Task } from '@lit/task'
import { html, nothing } from 'lit'
import { property, state } from 'lit/decorators.js'
import { collaborationLimits } from '../../../src/collaborations/collaboration.ts'
import type { WireParticipant } from '../../../src/http/shapes/collaborations/participant.ts'
import type { WireWorkspace } from '../../../src/http/shapes/collaborations/workspace.ts'
import type { WireGroup } from '../../../src/http/shapes/directory/group.ts'
import { choiceOf, readFields } from '../elements/fields.ts'
import { button, PageElement } from '../elements/page.ts'
import { hrefTo } from '../navigation/navigation.ts'
import { call, post, signedIn } from '../session/session.ts'
import { ofCollaborations as t } from '../texts/rooms.ts'
import { accessOf } from './access.ts'
import { limitedField } from './limited-field.ts'
import { collaborationPath } from './records.ts'

type GroupOutline = Pick<WireGroup, 'id' | 'title'>

/** Workspaces of a collaboration, the access of the participants, and the linked group of each. Emits `changed`. */
class Workspaces extends PageElement {
  /** Id of the collaboration. */
  @property() collaboration!: string
  @property({ attribute: false }) workspaces!: readonly WireWorkspace[]
  @property({ attribute: false }) participants!: readonly WireParticipant[]
  @property({ type: Boolean, attribute: 'is-host' }) isHost = false
  /** Workspace that a dialog is about; undefined for a new one. */
  @state() chosen: WireWorkspace | undefined

  /** The groups of the organization that the person may see, the first hundred. */
  readonly #groups = new Task(this, {
    args: () => [signedIn()?.portal.id],
    task: async ([portalId], { signal }) => {
      const found = await call<{ readonly results: readonly GroupOutline[] }>(
        '/community/groups',
        { q: `orgid:${portalId}`, num: 100 },
        { signal },
      )
      return found.results
    },
  })

  override render() {
    return html`<div class="stack">
      <ul role="list" class="cards">${this.workspaces.map((each) => this.#renderOne(each))}</ul>
      ${this.isHost ? html`<div>${button(t('addWorkspace'), { icon: 'plus', onClick: () => this.#ask('#form', undefined) })}</div>` : nothing}
    </div>
    ${this.#renderDialogs()}`
  }

  #renderOne(workspace: WireWorkspace) {
    const { name, description } = workspace
    const own = ownLinkOf(workspace)
    const group = own && this.#groups.value?.find(({ id }) => id === own.portalGroupId)
    return html`<li class="panel stack">
      <div>
        <h3><bdi>${name}</bdi></h3>
        ${description ? html`<p class="quiet"><bdi>${description}</bdi></p>` : nothing}
      </div>
      <ul role="list">
        ${this.participants.map(({ portalInfo }) => {
          const access = accessOf(workspace, portalInfo.id)
          return (
            access &&
            html`<li class="spread"><span>${portalInfo.name}</span><span class="quiet">${t(`access_${access}`)}</span></li>`
          )
        })}
      </ul>
      <p>
        ${t('ownGroup')}
        ${own ? html`<a href=${hrefTo('group', { group: own.portalGroupId })}>${group?.title ?? own.portalGroupId}</a>` : t('noGroup')}
      </p>
      <div class="row">
        ${button(html`<span aria-hidden="true">${t('linkGroup')}</span><span class="visually-hidden">${t('linkGroupOf', { name })}</span>`, { size: 's', onClick: () => this.#ask('#link', workspace) })}
        ${
          this.isHost
            ? html`${button(html`<span aria-hidden="true">${t('edit')}</span><span class="visually-hidden">${t('editWorkspace', { name })}</span>`, { size: 's', onClick: () => this.#ask('#form', workspace) })}
              ${button(html`<span aria-hidden="true">${t('delete')}</span><span class="visually-hidden">${t('deleteWorkspace', { name })}</span>`, { size: 's', disabled: this.workspaces.length < 2, onClick: () => this.#ask('#delete', workspace) })}`
            : nothing
        }
      </div>
    </li>`
  }

  #renderDialogs() {
    const { chosen } = this
    const name = chosen?.name ?? ''
    const own = chosen && ownLinkOf(chosen)
    return html`<cartulary-dialog-form
        id="form" heading=${chosen ? t('editWorkspace', { name }) : t('addWorkspace')} action=${t('save')}
        .work=${this.#save} @done=${this.#change}
      >
        ${limitedField('name', t('name'), collaborationLimits.name, true, name)}
        ${limitedField('description', t('description'), collaborationLimits.description, false, chosen?.description)}
      </cartulary-dialog-form>
      <cartulary-dialog-form id="link" heading=${t('linkGroupOf', { name })} action=${t('save')} .work=${this.#link} @done=${this.#change}>
        <p>${t('linkGroupText')}</p>
        <cartulary-problem .error=${this.#groups.error}></cartulary-problem>
        ${choiceOf('portalGroupId', t('group'), [['', t('noGroup')], ...(this.#groups.value ?? []).map(({ id, title }) => [id, title] as const)], own?.portalGroupId ?? '')}
      </cartulary-dialog-form>
      <cartulary-dialog-form
        id="delete" danger heading=${t('deleteWorkspace', { name })} action=${t('delete')} @done=${this.#change}
        .work=${() => post(`${this.#path()}/delete`)}
      ><p>${t('deleteWorkspaceText')}</p></cartulary-dialog-form>`
  }

  #path(): string {
    return `${collaborationPath(this.collaboration)}/workspaces/${this.chosen?.id ?? ''}`
  }

  readonly #save = async () => {
    const { name = '', description = '' } = readFields(this.dialogOf('#form'))
    if (this.chosen) await post(`${this.#path()}/updateInfo`, { name, description })
    else {
      await post(`${collaborationPath(this.collaboration)}/addWorkspace`, {
        collaborationWorkspaceName: name,
        collaborationWorkspaceDescription: description,
      })
    }
  }

  readonly #link = async () => {
    const { portalGroupId } = readFields(this.dialogOf('#link'))
    if (portalGroupId) await post(`${this.#path()}/updatePortalGroupLink`, { portalGroupId })
    else if (this.chosen && ownLinkOf(this.chosen)) await post(`${this.#path()}/removePortalGroupLink`)
  }

  #ask(dialog: string, workspace: WireWorkspace | undefined): Promise<void> {
    this.chosen = workspace
    return this.openDialog(dialog)
  }

  readonly #change = () => this.dispatchEvent(new Event('changed'))
}

/** Link to the group of the own organization. */
function ownLinkOf({ participantGroupLinks }: WireWorkspace) {
  return participantGroupLinks.find(({ portalId }) => portalId === signedIn()?.portal.id)
}

customElements.define('cartulary-workspaces', Workspaces)
