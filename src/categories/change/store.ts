import type { KeptBytes } from '../../directory/store.ts'
import type { CarriedPathReader, CarriedPathStore } from '../carried-paths.ts'
import type { HistoryReaders, HistoryStores } from '../history/store.ts'

/** Stores that judging and planning a change of a schema reads. */
export interface ChangeReaders extends HistoryReaders {
  readonly items: CarriedPathReader & KeptBytes
}

/** Stores that a change of a schema writes. */
export interface ChangeStores extends HistoryStores {
  readonly items: CarriedPathStore & KeptBytes
}
