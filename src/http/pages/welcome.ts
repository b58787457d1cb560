import { encodePath, segmentsOf } from '../endpoints/places.ts'
import { type Html, html } from './html.ts'

/** Content of the root for a first visit. */

const ways = [
  ['/portals/self', 'The organization', 'its users, roles, category schema and collaborations'],
  ['/community/groups', 'Groups', 'who belongs to them, their category schemas and items'],
  ['/search', 'Items', 'search and browse by category'],
  ['/portals/self/collaborations', 'Collaborations', 'invitations between portals'],
  ['/community/self', 'You', 'your profile, privileges and groups'],
] as const

export function formatWelcome({ base, contextPath }: { readonly base: string; readonly contextPath: string }): Html {
  const list = ways.map(
    ([path, name, about]) => html`<li><a href="${base}${encodePath(segmentsOf(path))}">${name}</a>: ${about}</li>`,
  )
  return html`<div class="welcome">
<p>This server keeps category schemas of groups and organizations, and the invitations by which portals begin to collaborate.
Programs call it as they call the ArcGIS Sharing REST API. Every address of that API is a page too: with its value, its
forms, and links to what is near. Most of them ask you to sign in first, by the button above.</p>
<ul>${list}</ul>
<p>All operations are in the <a href="${contextPath}/api">reference of the API</a>, for programs in the
<a href="${contextPath}/openapi.json">OpenAPI document</a>.</p>
</div>`
}
