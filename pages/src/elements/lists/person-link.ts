import { html, nothing } from 'lit'
import { hrefTo } from '../../navigation/navigation.ts'
import { namesOf } from '../../texts/names.ts'

/** Link to a person in a list; beside it the username, if the name differs. */
export function renderPersonLink(person: { readonly username: string; readonly fullName: string }) {
  const { name, username } = namesOf(person.username, person.fullName)
  return html`<a href=${hrefTo('person', { username: person.username })}><bdi>${name}</bdi></a>${
    username === undefined ? nothing : html` <span class="quiet"><bdi>${username}</bdi></span>`
  }`
}
