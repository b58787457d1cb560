import { categories } from './categories.ts'
import { client } from './client.ts'
import { collaborations } from './collaborations.ts'
import type { Fault } from './fault.ts'
import { items } from './items.ts'
import { limits } from './limits.ts'
import { mail } from './mail.ts'
import { outgoing } from './outgoing.ts'
import { permissions } from './permissions.ts'
import { storage } from './storage.ts'
import { tokens } from './tokens.ts'
import { webhooks } from './webhooks.ts'
import { wire } from './wire.ts'

/** Every fault that `npm run test:planted` plants. */
export const faults: readonly Fault[] = [
  ...mail,
  ...outgoing,
  ...permissions,
  ...limits,
  ...categories,
  ...items,
  ...tokens,
  ...collaborations,
  ...storage,
  ...wire,
  ...client,
  ...webhooks,
]
