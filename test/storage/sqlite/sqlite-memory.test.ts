import { describeStorage } from '../contract/contract.ts'
import { makeMemory } from '../reused-database.ts'
import { openWorkMemory } from '../work-storage.ts'

describeStorage('SQLite in memory', {
  makeDatabase: makeMemory,
  open: ({ connect, query }) => openWorkMemory(connect, query),
})
