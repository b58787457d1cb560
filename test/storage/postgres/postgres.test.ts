import { describeStorage } from '../contract/contract.ts'
import { makePostgres } from '../reused-database.ts'
import { openWorkPostgres } from '../work-storage.ts'

describeStorage('PostgreSQL', {
  makeDatabase: makePostgres,
  open: ({ place, query }) => openWorkPostgres(place, query),
})
