import { field, readFields } from '../elements/fields.ts'
import { button, Reading, Screen } from '../elements/page.ts'
import '../schemas/difference.ts'
import { css, html, nothing } from 'lit'
import { goTo, hrefTo } from '../navigation/navigation.ts'
import { ownerOf, screenOf } from '../owners/owners.ts'
import type { VersionDiff } from '../schemas/answers.ts'
import { compareVersions, readOwnerTitle, readSchema } from '../schemas/requests.ts'
import { ofHistory as t } from '../texts/rooms.ts'

/** Comparison of two versions of a schema; both are in the address. */
class Comparison extends Screen {
  static override styles = css`
    .field {
      width: 9rem;
    }
    .row {
      align-items: end;
    }
  `

  readonly #compared = new Reading(this, {
    args: () => [ownerOf(this.parameters), Number(this.query.get('from')), Number(this.query.get('to'))] as const,
    task: async ([owner, from, to], { signal }) => {
      const title = await readOwnerTitle(owner, signal)
      if (to < 1) return { title }
      const [diff, older, newer] = await Promise.all([
        compareVersions(owner, from, to, signal),
        readSchema(owner, from, signal),
        readSchema(owner, to, signal),
      ])
      return { title, compared: { diff, older, newer } }
    },
  })

  override render() {
    const owner = ownerOf(this.parameters)
    const [from, to] = [this.query.get('from') ?? '', this.query.get('to') ?? '']
    return html`<cartulary-heading text=${t('comparison')} note=${this.#compared.value?.title ?? ''}>
        ${button(t('history'), { href: hrefTo(...screenOf(owner, 'History')) })}
      </cartulary-heading>
      <div class="stack">
        <form class="row no-print" @submit=${this.#choose}>
          ${field('from', t('older'), { type: 'number', min: 0, required: true, value: from, follows: true })}
          ${field('to', t('newer'), { type: 'number', min: 1, required: true, value: to, follows: true })}
          ${button(t('compare'), { type: 'submit' })}
          ${Number(from) > 0 ? html`<a href=${hrefTo(...screenOf(owner, 'Comparison'), { from: to, to: from })}>${t('swap')}</a>` : nothing}
        </form>
        ${this.#compared.show(
          ({ compared }) =>
            compared &&
            html`<div class="sides">${[compared.diff.from, compared.diff.to].map((side) => this.#renderSide(side))}</div>
              <cartulary-difference
                .older=${compared.older} .newer=${compared.newer} .changes=${compared.diff.changes}
              ></cartulary-difference>`,
        )}
      </div>`
  }

  #renderSide({ version, modified, modifiedBy, comment }: VersionDiff['from']) {
    if (version === 0) return html`<section class="panel"><h2>${t('beforeFirst')}</h2></section>`
    const href = hrefTo(...screenOf(ownerOf(this.parameters), 'Version', { version: String(version) }))
    return html`<section class="panel">
      <h2><a href=${href}>${t('versionNumber', { version })}</a></h2>
      <p><bdi>${modifiedBy}</bdi> · ${modified === undefined ? nothing : html`<cartulary-moment .value=${modified}></cartulary-moment>`}</p>
      ${comment ? html`<p class="quiet"><bdi>${comment}</bdi></p>` : nothing}
    </section>`
  }

  #choose(event: Event): void {
    event.preventDefault()
    const { from, to } = readFields(this.renderRoot)
    goTo(hrefTo(...screenOf(ownerOf(this.parameters), 'Comparison'), { from, to }))
  }
}

customElements.define('cartulary-comparison', Comparison)
