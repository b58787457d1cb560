import { html } from 'lit'
import { accessModes, collaborationLimits } from '../../../src/collaborations/collaboration.ts'
import type { WireCollaboration } from '../../../src/http/shapes/collaborations/collaboration.ts'
import { choice, readFields, reportFields } from '../elements/fields.ts'
import { Action, button, Screen } from '../elements/page.ts'
import { goTo, hrefTo } from '../navigation/navigation.ts'
import { post } from '../session/session.ts'
import { ofCollaborations as t } from '../texts/rooms.ts'
import { limitedField } from './limited-field.ts'

/** Creates a collaboration: its name, its first workspace, and a contact for guests. */
class NewCollaboration extends Screen {
  readonly #creation = new Action(this)

  override render() {
    const { name, description, contact } = collaborationLimits
    return html`<cartulary-heading text=${t('newCollaboration')} note=${t('newCollaborationText')}></cartulary-heading>
      <form class="stack" novalidate @submit=${this.#create}>
        ${limitedField('name', t('name'), name, true)} ${limitedField('description', t('description'), description)}
        <h2>${t('firstWorkspace')}</h2>
        <p class="quiet">${t('workspaceText')}</p>
        ${limitedField('workspaceName', t('workspaceName'), name, true)}
        ${limitedField('workspaceDescription', t('workspaceDescription'), description)}
        ${choice('accessMode', t('ownAccess'), accessModes, (mode) => t(`access_${mode}`), 'sendAndReceive')}
        <h2>${t('contact')}</h2>
        <p class="quiet">${t('contactText')}</p>
        ${limitedField('hostContactFirstname', t('firstName'), contact)} ${limitedField('hostContactLastname', t('lastName'), contact)}
        ${limitedField('hostContactEmailAddress', t('email'), contact)}
        <cartulary-problem .error=${this.#creation.error}></cartulary-problem>
        <div class="row">
          ${button(t('create'), { type: 'submit', variant: 'brand', loading: this.#creation.isRunning })}
          ${button(t('cancel'), { appearance: 'plain', href: hrefTo('collaborations') })}
        </div>
        <input type="submit" hidden>
      </form>`
  }

  async #create(event: Event): Promise<void> {
    event.preventDefault()
    const form = event.target as HTMLFormElement
    if (!reportFields(form)) return
    await this.#creation.run(async () => {
      const { collaboration } = await post<{ readonly collaboration: WireCollaboration }>(
        '/portals/self/createCollaboration',
        readFields(form),
      )
      goTo(hrefTo('collaboration', { collaboration: collaboration.id }))
    })
  }
}

customElements.define('cartulary-new-collaboration', NewCollaboration)
