import { Action, announcements, button, PageElement, type Screen } from '../elements/page.ts'
import type { Palette } from '../palette/palette.ts'
import './account-menu.ts'
import './main-menu.ts'
import { css, html, nothing, type PropertyValues } from 'lit'
import { property, state } from 'lit/decorators.js'
import { hrefTo, type Place, placeChanges, presentPlace } from '../navigation/navigation.ts'
import { loadHelp, loadPalette, screens } from '../screens.ts'
import { countUnread, noticeChanges, readNotices } from '../session/notices.ts'
import { sessionState, signedIn, signIn, signInAgain, signOut } from '../session/session.ts'
import { formatNumber } from '../texts/formats.ts'
import { ofFrame as t } from '../texts/rooms.ts'
import { allTextsLoaded } from '../texts/texts.ts'

const isMac = /Mac|iPhone|iPad/.test(navigator.platform)

/** Letters of an organization's name that have room beside the actions of a phone's head (chosen): 390 pixels. */
const maxNameBesideActions = 14

/** Frame of every screen: the heads of page and organization, the navigation, and the screen itself. */
class App extends PageElement {
  static override styles = css`
    .skip {
      position: absolute;
      inset-inline-start: 0.5rem;
      top: -4rem;
      z-index: 10;
      padding: 0.5rem 1rem;
      background: var(--wa-color-surface-raised);
    }
    .skip:focus {
      top: 0.5rem;
    }
    .head {
      gap: 0.5rem;
      padding: 0.5rem 1rem;
      border-bottom: 1px solid var(--wa-color-surface-border);
      background: var(--wa-color-surface-raised);
    }
    .name {
      display: flex;
      gap: 0.625rem;
      align-items: center;
      flex: 1 1 5rem;
      min-width: 0;
      font-weight: 600;
      color: inherit;
      text-decoration: none;
      unicode-bidi: isolate;
    }
    @media (max-width: 30rem) {
      .name.long {
        order: 1;
        flex-basis: 100%;
      }
      .name.long + .palette {
        margin-inline-start: auto;
      }
    }
    .bell {
      position: relative;
    }
    .bell span {
      position: absolute;
      inset-block-start: 0;
      inset-inline-end: 0;
      padding: 0 0.3rem;
      border-radius: 1rem;
      background: var(--wa-color-brand-fill-loud);
      color: var(--wa-color-brand-on-loud);
      font-size: 0.75rem;
    }
    .palette kbd {
      display: none;
      white-space: nowrap;
      padding: 0 0.375rem;
      border: 1px solid var(--wa-color-surface-border);
      border-radius: 0.25rem;
      font-family: inherit;
      font-size: 0.8125rem;
    }
    .columns {
      display: grid;
      grid-template-columns: minmax(0, 1fr);
    }
    main {
      width: 100%;
      max-width: 106rem;
      min-width: 0;
      padding: 1.25rem 1rem 4rem;
    }
    .help {
      padding: 1rem;
      color: var(--wa-color-text-quiet);
      font-size: 0.875rem;
    }
    /* Above the bar at the end of the window. */
    .below {
      padding-block-end: 4rem;
    }
    .notice {
      padding: 0.5rem 1rem;
      background: var(--wa-color-warning-fill-quiet);
      color: var(--wa-color-warning-on-quiet);
    }
    /* It comes and goes while people work: above what is at the end of the window. */
    .offline {
      position: fixed;
      inset: auto 0 var(--bottom-bar, 0);
      z-index: 4;
    }
    @media (min-width: 60rem) {
      .columns.with-menu {
        grid-template-columns: 14rem minmax(0, 1fr);
      }
      .with-menu > .below {
        display: none;
      }
      .palette {
        min-width: 17rem;
        justify-content: start;
        border-color: var(--wa-color-surface-border);
        color: var(--wa-color-text-quiet);
      }
      .palette .label {
        position: static;
        width: auto;
        height: auto;
        clip-path: none;
      }
      .palette kbd {
        display: inline;
        margin-inline-start: auto;
      }
      main {
        padding-inline: 2rem;
      }
    }
    @media print {
      .head,
      cartulary-main-menu,
      .below {
        display: none;
      }
      .columns.with-menu {
        display: block;
      }
    }
  `

  /** Fulfilled when the session is known. */
  @property({ attribute: false }) opening: Promise<void> | undefined
  @state() isOpen = false
  @state() isOffline = !navigator.onLine
  @state() error: unknown
  @state() screen: Screen | undefined
  @state() announced = ''
  /** The dialog that goes anywhere, once it is loaded. */
  @state() palette: Palette | undefined

  /** Outcome of the last try to sign in again. */
  @state() again: { readonly error?: unknown; readonly isRefused?: boolean } = {}

  /** Help of the screens, once it is loaded. */
  @state() help: Awaited<ReturnType<typeof loadHelp>> | undefined

  readonly #signIn = new Action(this)
  /** Reason why the session could not be opened: the person is unknown then, on every screen. */
  #notOpened: unknown
  #place: Place = presentPlace()
  #stopWatching = () => {}

  constructor() {
    super()
    window.addEventListener('online', () => (this.isOffline = false))
    window.addEventListener('offline', () => (this.isOffline = true))
    window.addEventListener('keydown', (event) => {
      const isKey =
        event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey
      if (!isKey || !signedIn() || sessionState() !== 'signedIn') return
      event.preventDefault()
      void this.#openPalette()
    })
    announcements.watch((text) => {
      // A repeated text has to differ, or it would not be announced.
      this.announced = this.announced === text ? `${text}\u00a0` : text
    })
  }

  override connectedCallback(): void {
    super.connectedCallback()
    const stops = [placeChanges.watch(() => this.#show()), noticeChanges.watch(() => this.requestUpdate())]
    this.#stopWatching = () => {
      for (const stop of stops) stop()
    }
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#stopWatching()
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('opening') && this.opening) this.#open(this.opening)
    // Signed out by another tab: what only a signed-in person sees gives way.
    if (sessionState() === 'signedOut' && !(this.#place.name && screens[this.#place.name]?.isPublic))
      this.screen = undefined
  }

  async #open(opening: Promise<void>): Promise<void> {
    try {
      await opening
    } catch (error) {
      this.#notOpened = error
    }
    this.isOpen = true
    await this.#show()
  }

  /** Shows the screen of the present place; a screen that is already shown gets its new parameters. */
  async #show(): Promise<void> {
    const before = this.#place
    const place = presentPlace()
    this.#place = place
    const screen = place.name && screens[place.name]
    if (!screen || !(screen.isPublic || signedIn())) {
      this.screen = undefined
      this.error = undefined
      this.requestUpdate()
      return
    }
    const isSame = this.screen?.localName === screen.element
    // A shown screen follows its address without waiting: later key presses would be overwritten otherwise.
    if (!isSame) {
      try {
        await Promise.all([screen.load(), screen.isFirst || allTextsLoaded()])
      } catch (error) {
        this.error = error
        return
      }
      // The person may have navigated to another place meanwhile.
      if (this.#place !== place) return
    }
    this.error = undefined
    const element = isSame ? this.screen! : (document.createElement(screen.element) as Screen)
    element.parameters = place.parameters
    element.query = place.query
    this.screen = element
    if (before.name === place.name && isSame) return
    // These screens read them themselves. Without an answer, the bell keeps its number.
    if (signedIn() && !['home', 'requests'].includes(place.name ?? '')) void readNotices().catch(() => {})
    await this.updateComplete
    await element.updateComplete
    if (screen.later && signedIn()) void loadLater(screen.later)
    if (signedIn() || !screen.isFirst) void loadLater(async () => (this.help = await loadHelp()))
    if (before !== place && before.name !== place.name) {
      window.scrollTo(0, 0)
      element.renderRoot.querySelector<HTMLElement>('cartulary-heading')?.focus()
    }
  }

  override render() {
    const person = signedIn()
    const name = person?.portal.name ?? 'Cartulary'
    return html`
      <header class="row head">
        <a class="skip" href="#main" @click=${this.#skip}>${t('skip')}</a>
        ${person ? html`<cartulary-main-menu narrow .place=${this.#place}></cartulary-main-menu>` : nothing}
        <a class="name ${name.length > maxNameBesideActions ? 'long' : ''}" href=${hrefTo('home')}><span part="mark"></span><bdi>${name}</bdi></a>
        ${person ? this.#renderPaletteButton() : nothing}
        ${person ? renderBell() : nothing}
        <cartulary-account-menu></cartulary-account-menu>
      </header>
      ${window.isSecureContext ? nothing : html`<div class="notice" role="status">${t('insecure')}</div>`}
      ${this.isOffline ? html`<div class="notice offline" role="status">${t('offline')}</div>` : nothing}
      <div class="columns ${person ? 'with-menu' : ''}">
        ${person ? html`<cartulary-main-menu .place=${this.#place}>${this.#renderHelp('help')}</cartulary-main-menu>` : nothing}
        <main id="main" tabindex="-1">${this.#renderMain()}</main>
        ${this.#renderHelp('help below')}
      </div>
      <div class="visually-hidden" role="status">${this.announced}</div>
      ${person ? this.palette : nothing}
      ${this.#renderExpired()}
    `
  }

  #renderPaletteButton() {
    return html`<button class="fold tool palette" type="button" aria-haspopup="dialog" aria-keyshortcuts="Control+K Meta+K"
      @click=${this.#openPalette}><wa-icon name="search"></wa-icon><span class="label visually-hidden">${t('palette')}</span><kbd aria-hidden="true">${isMac ? '⌘ K' : 'Ctrl K'}</kbd></button>`
  }

  readonly #openPalette = async (): Promise<void> => {
    try {
      await Promise.all([loadPalette(), allTextsLoaded()])
    } catch (error) {
      this.error = error
      return
    }
    this.palette ??= document.createElement('cartulary-palette') as Palette
    await this.updateComplete
    await this.palette.toggle()
  }

  #renderMain() {
    if (!this.isOpen) return html`<cartulary-loading></cartulary-loading>`
    if (sessionState() === 'passedOn') return html`<p role="status">${t('closeWindow')}</p>`
    const error = this.error ?? this.#notOpened
    if (error !== undefined) {
      return html`<cartulary-problem .error=${error} can-retry @retry=${() => window.location.reload()}></cartulary-problem>`
    }
    if (this.screen) return this.screen
    if (this.#place.name && screens[this.#place.name]) {
      return html`<cartulary-empty icon="key" heading=${t('signInFirst')} text=${t('signInFirstText')}>
        <cartulary-problem .error=${this.#signIn.error}></cartulary-problem>
        ${button(t('signIn'), { variant: 'brand', onClick: () => this.#signIn.run(signIn) })}
      </cartulary-empty>`
    }
    return html`<cartulary-heading text=${t('noPage')}></cartulary-heading>
      <cartulary-empty icon="search" heading=${t('noPageText')}>
        ${button(t('home'), { variant: 'brand', href: hrefTo('home') })}
      </cartulary-empty>`
  }

  #renderHelp(className: string) {
    return (this.#place.name && this.help?.renderHelp(this.#place.name, className)) ?? nothing
  }

  /** Asks for another sign-in when the present one has expired; pending actions continue after it. */
  #renderExpired() {
    const isOpen = sessionState() === 'expired'
    // The dialog stays open until the person has signed in, as nothing works without that.
    const stay = (event: Event) => isOpen && event.target === event.currentTarget && event.preventDefault()
    return html`<wa-dialog label=${t('expired')} ?open=${isOpen} @wa-hide=${stay}>
      <div class="stack">
        <p>${t('expiredText')}</p>
        ${this.again.isRefused ? html`<p role="alert">${t('notSignedIn')}</p>` : nothing}
        <cartulary-problem .error=${this.again.error}></cartulary-problem>
      </div>
      ${button(t('signOut'), { slot: 'footer', appearance: 'plain', onClick: () => this.#leaveExpired(signOut) })}
      ${button(t('signInAgain'), { slot: 'footer', variant: 'brand', onClick: () => this.#leaveExpired(signInAgain) })}
    </wa-dialog>`
  }

  /** Runs the work; one that is running is not waited for, as the window of a sign-in may be closed without an answer. */
  async #leaveExpired(work: () => Promise<unknown>): Promise<void> {
    this.again = {}
    try {
      this.again = { isRefused: (await work()) === 'refused' }
    } catch (error) {
      this.again = { error }
    }
  }

  #skip(event: Event): void {
    event.preventDefault()
    this.renderRoot.querySelector('main')?.focus()
  }
}

/** Leads to the notices, of which it counts the unread ones. */
function renderBell() {
  const count = countUnread()
  return html`<a class="fold tool bell" href=${hrefTo('requests')} aria-label=${t('notices', { count })} title=${t('notices', { count })}
    ><wa-icon name="bell"></wa-icon>${count > 0 ? html`<span aria-hidden="true">${formatNumber(count)}</span>` : nothing}</a>`
}

/** Loads parts of a screen in the background; where that fails, the screen is without them. */
async function loadLater(later: () => Promise<unknown>): Promise<void> {
  try {
    // Its texts are there before its elements, which are rendered immediately.
    await allTextsLoaded()
    await later()
  } catch (error) {
    console.warn(error)
  }
}

customElements.define('cartulary-app', App)

declare global {
  interface HTMLElementTagNameMap {
    'cartulary-app': App
  }
}
