import { html, nothing } from 'lit'
import { hrefTo } from '../../navigation/navigation.ts'
import { namesOf } from '../../texts/names.ts'

/** A person in a list, as a link to them; below it the username, where the name is another. */
export function renderPersonLink(person: { readonly username: string; readonly fullName: string }) {
  const { name, username } = namesOf(person.username, person.fullName)
  return html`<a href=${hrefTo('person', { username: person.username })}><bdi>${name}</bdi></a>${
    username === undefined ? nothing : html`<div class="quiet"><bdi>${username}</bdi></div>`
  }`
}
