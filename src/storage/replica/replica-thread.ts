import type { SearchReplica } from '../postgres/replicated-searches.ts'
import { oneByOne, type PendingSearch } from '../sqlite/search-thread.ts'
import { serveThread, type ThreadProgram } from '../sqlite/thread-protocol.ts'
import { searchInThread } from '../sqlite/threaded-searcher.ts'
import type { ExecuteSearch, ReplicaFigures } from '../storage.ts'
import { Replica, type ReplicaSettings, readFigures, type SharedFigures, shareFigures } from './replica.ts'

/** Settings of a thread with a replica. */
interface ThreadSettings<Settings> {
  readonly settings: Settings
  readonly replica: ReplicaSettings
}

/** A replica in a thread, whose program calls `serveReplica`. It is started when a search asks for it first. */
export function replicaInThread({ program, settings }: ThreadProgram, url: string, folder: string): SearchReplica {
  const figures: SharedFigures = shareFigures()
  const whole: ThreadSettings<unknown> = { settings, replica: { folder, figures } }
  const searcher = searchInThread<unknown>({ program, settings: whole }, url)
  return {
    isReady() {
      searcher.ready()?.catch(() => undefined)
      return readFigures(figures).state === 'ready'
    },
    search: (search, until) => searcher.search(search, until),
    figures: (): ReplicaFigures => readFigures(figures),
    close: () => searcher.close(),
  }
}

/** Main function of the thread: fills the replica, and runs the searches that it receives. */
export function serveReplica<Settings, Search>(executeWith: (settings: Settings) => ExecuteSearch<Search>): void {
  serveThread<ThreadSettings<Settings>, PendingSearch<Search>>((url, { settings, replica: own }) => {
    const replica = new Replica(url, own, executeWith(settings))
    void replica.fill()
    return { close: () => replica.close(), run: oneByOne((search, until) => replica.search(search, until)) }
  })
}
