import { property } from 'lit/decorators.js'
import type { PathParameters } from '../navigation/paths.ts'
import { PageElement } from './page-element.ts'

/** Base of the screens. Each renders one `<cartulary-heading>`. */
export class Screen extends PageElement {
  /** Values of the path, such as the id of a group. */
  @property({ attribute: false }) parameters: PathParameters = {}
  /** State of the screen: filters, open details. Change it by `replaceQuery` or a link. */
  @property({ attribute: false }) query: URLSearchParams = new URLSearchParams()
}
