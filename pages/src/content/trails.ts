import { css, html, nothing } from 'lit'
import { hrefTo } from '../navigation/navigation.ts'

/** Style of trails: the titles from the tree to the category, one after the other. */
export const trailStyle = css`
  .trail {
    gap: 0 0.375rem;
  }
  .trail li {
    display: flex;
    gap: 0.375rem;
    align-items: center;
    min-width: 0;
    overflow-wrap: anywhere;
  }
  .trail wa-icon {
    flex: none;
    font-size: 0.75em;
    color: var(--wa-color-text-quiet);
  }
  .trail wa-icon:dir(rtl) {
    scale: -1 1;
  }
`

/** Titles of a path such as `/Region/World`, from the tree to the category. */
export function titlesOf(path: string): readonly string[] {
  return path.split('/').slice(1)
}

/** Shows a path as its titles, each a link to the items there; `group`: whose category it is, undefined for the organization. */
export function renderTrail(path: string, group: string | undefined) {
  const titles = titlesOf(path)
  return html`<ol class="row trail" role="list">${titles.map((title, at) => {
    const category = `/${titles.slice(0, at + 1).join('/')}`
    return html`<li>${at > 0 ? html`<wa-icon name="chevron-right"></wa-icon>` : nothing}<a href=${hrefTo('content', {}, { group, category })}><bdi>${title}</bdi></a></li>`
  })}</ol>`
}
