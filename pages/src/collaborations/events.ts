import { css, html, nothing } from 'lit'
import { property } from 'lit/decorators.js'
import type { IconName } from '../elements/icon-shapes.ts'
import { PageElement } from '../elements/page.ts'
import { hrefTo } from '../navigation/navigation.ts'
import { ofCollaborations as t } from '../texts/rooms.ts'
import type { TimelineEvent } from './timeline.ts'

const icons: Readonly<Record<TimelineEvent['kind'], IconName>> = {
  created: 'plus',
  workspaceAdded: 'folder',
  joined: 'users',
  invited: 'share',
  refreshed: 'refresh',
  accepted: 'check',
  takenBack: 'xmark',
  invitationEnded: 'warning',
  invitationEnds: 'clock',
}

/** Events of a collaboration, latest first. */
class TimelineEvents extends PageElement {
  static override styles = css`
    ol {
      display: grid;
    }
    li {
      display: grid;
      grid-template-columns: 1.5rem minmax(0, 1fr);
      gap: 0.75rem;
      padding-block-end: 0.875rem;
    }
    li > wa-icon {
      margin-block-start: 0.25rem;
      color: var(--wa-color-text-quiet);
    }
  `

  @property({ attribute: false }) events!: readonly TimelineEvent[]
  /** Id of the collaboration; if set, events of an invitation link to it. */
  @property({ attribute: false }) collaborationId: string | undefined

  override render() {
    return html`<ol role="list">${this.events.map((each) => this.#renderOne(each))}</ol>`
  }

  #renderOne({ kind, at, name, username, invitationId }: TimelineEvent) {
    const words = sayHappening(kind, name, username)
    const href =
      this.collaborationId &&
      invitationId &&
      hrefTo('invitation', { collaboration: this.collaborationId, invitation: invitationId })
    return html`<li>
      <wa-icon name=${icons[kind]}></wa-icon>
      <div>
        <div>${href ? html`<a href=${href}>${words}</a>` : words}</div>
        <div class="quiet"><cartulary-moment .value=${at}></cartulary-moment>${
          kind === 'invitationEnds' ? nothing : html` · <cartulary-moment .value=${at} distance></cartulary-moment>`
        }</div>
      </div>
    </li>`
  }
}

function sayHappening(kind: TimelineEvent['kind'], name: string | undefined, username: string | undefined): string {
  if (username !== undefined) return t(`${kind}_by` as 'invited_by', { username })
  if (name !== undefined) return t(kind as 'invited', { name })
  return kind === 'created' ? t('created') : t(`${kind}_here` as 'accepted_here')
}

customElements.define('cartulary-events', TimelineEvents)
