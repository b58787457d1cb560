import type { CarriedPathReader, CarriedPathStore } from '../carried-paths.ts'
import type { HistoryReaders, HistoryStores } from '../history/store.ts'

/** What a change of a schema is judged and planned by. */
export interface ChangeReaders extends HistoryReaders {
  readonly items: CarriedPathReader
}

/** What it writes. */
export interface ChangeStores extends HistoryStores {
  readonly items: CarriedPathStore
}
