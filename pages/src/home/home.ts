import '@awesome.me/webawesome/dist/components/button/button.js'
import '../elements/heading.ts'
import '../elements/problem.ts'
import '../elements/states.ts'
import { Task } from '@lit/task'
import { css, html } from 'lit'
import { Screen } from '../elements/screen.ts'
import { base, hrefTo } from '../navigation/navigation.ts'
import { call, signedIn, signIn } from '../session/session.ts'
import { t } from './texts.ts'

interface Category {
  readonly categories?: readonly Category[]
}

interface GroupOutline {
  readonly id: string
  readonly title: string
}

/** What a person sees first: the way in, or the schema of the organization and their groups. */
class Home extends Screen {
  static override styles = [
    ...Screen.styles,
    css`
      .cards {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(100%, 18rem), 1fr));
        gap: 1rem;
      }
    `,
  ]

  readonly #overview = new Task(this, {
    args: () => [signedIn()?.username],
    task: async ([username], { signal }) => {
      if (!username) return undefined
      const [schema, self] = await Promise.all([
        call<{ readonly categorySchema: readonly Category[] }>('/portals/self/categorySchema', {}, { signal }),
        call<{ readonly groups: readonly GroupOutline[] }>('/community/self', {}, { signal }),
      ])
      return { trees: schema.categorySchema, groups: self.groups }
    },
  })

  override render() {
    const person = signedIn()
    if (!person) {
      return html`<cartulary-heading text=${t('welcome')} note=${t('welcomeText')}></cartulary-heading>
        <div class="row">
          <wa-button variant="brand" @click=${signIn}>${t('signIn')}</wa-button>
          <a href=${new URL('sharing/rest', base).href}>${t('forPrograms')}</a>
        </div>`
    }
    return html`<cartulary-heading text=${t('greeting', { name: person.fullName || person.username })}></cartulary-heading>
      ${this.#overview.render({
        pending: () => html`<cartulary-loading></cartulary-loading>`,
        error: (error) =>
          html`<cartulary-problem .error=${error} can-retry @retry=${() => this.#overview.run()}></cartulary-problem>`,
        complete: (overview) => overview && this.#renderOverview(overview.trees, overview.groups),
      })}`
  }

  #renderOverview(trees: readonly Category[], groups: readonly GroupOutline[]) {
    const size = { trees: trees.length, categories: countAll(trees) }
    return html`<div class="cards">
      <section class="panel stack">
        <h2>${t('organization')}</h2>
        <p>${trees.length === 0 ? t('noSchema') : t('schemaSize', size)}</p>
        <p><a href=${hrefTo('organizationSchema')}>${t('openSchema')}</a></p>
      </section>
      <section class="panel stack">
        <h2>${t('yourGroups')}</h2>
        ${
          groups.length === 0
            ? html`<p>${t('noGroups')}</p>`
            : html`<ul role="list" class="stack">
                ${groups.slice(0, 20).map(({ id, title }) => html`<li><a href=${hrefTo('group', { group: id })}>${title}</a></li>`)}
              </ul>`
        }
      </section>
    </div>`
  }
}

/** Trees count as categories too (documented). */
function countAll(categories: readonly Category[]): number {
  return categories.reduce((sum, { categories: below = [] }) => sum + 1 + countAll(below), 0)
}

customElements.define('cartulary-home', Home)
