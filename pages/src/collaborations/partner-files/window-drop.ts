import type { ReactiveController, ReactiveControllerHost } from 'lit'

/** Takes files that are dropped anywhere into the window, while its element is in the page. */
export class WindowDrop implements ReactiveController {
  readonly #host: ReactiveControllerHost
  readonly #take: (file: File) => void
  #isOver = false

  constructor(host: ReactiveControllerHost, take: (file: File) => void) {
    this.#host = host
    this.#take = take
    host.addController(this)
  }

  /** Whether files are dragged over the window now. */
  get isOver(): boolean {
    return this.#isOver
  }

  hostConnected(): void {
    window.addEventListener('dragover', this.#over)
    window.addEventListener('dragleave', this.#leave)
    window.addEventListener('drop', this.#drop)
  }

  hostDisconnected(): void {
    window.removeEventListener('dragover', this.#over)
    window.removeEventListener('dragleave', this.#leave)
    window.removeEventListener('drop', this.#drop)
  }

  readonly #over = (event: DragEvent) => {
    if (!event.dataTransfer?.types.includes('Files')) return
    event.preventDefault()
    this.#show(true)
  }

  readonly #leave = (event: DragEvent) => {
    if (!event.relatedTarget) this.#show(false)
  }

  readonly #drop = (event: DragEvent) => {
    this.#show(false)
    const [file] = event.dataTransfer?.files ?? []
    if (!file) return
    event.preventDefault()
    this.#take(file)
  }

  #show(isOver: boolean): void {
    if (isOver === this.#isOver) return
    this.#isOver = isOver
    this.#host.requestUpdate()
  }
}
