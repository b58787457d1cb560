import type { Fault } from './fault.ts'

const events = 'test/http/endpoints/webhooks/events.test.ts'
const deliveries = 'test/http/endpoints/webhooks/deliveries.test.ts'
const hooks = 'test/http/endpoints/webhooks/hooks.test.ts'
const keptForATime = 'test/http/endpoints/webhooks/kept-for-a-time.test.ts'
const paths = 'test/rooms/webhooks/event-paths.test.ts'
const attempts = 'test/rooms/webhooks/attempts.test.ts'
const sending = 'test/background/sending.test.ts'

/** Events of changes, the webhooks that get them, their order, their attempts, and what is kept. */
export const webhooks: readonly Fault[] = [
  {
    name: 'Sign-ins go to a webhook that asks for everything',
    file: 'src/webhooks/events.ts',
    find: "properties: ['username', 'via'], isAskedFor: true",
    replace: "properties: ['username', 'via']",
    tests: [paths],
  },
  {
    name: 'An owner of a webhook who is no administrator gets events of everything',
    file: 'src/operations/events/watchers.ts',
    find: 'if (isDefaultAdministrator(owner, portalId)) return true',
    replace: 'return true',
    tests: [events],
  },
  {
    name: 'A webhook goes on although its owner may no longer manage webhooks',
    file: 'src/operations/events/tell.ts',
    find: 'if (ownerless.length > 0) await stores.webhooks.putRevision(newId())\n  return ownerless.length > 0',
    replace: 'return false',
    tests: [events],
  },
  {
    name: 'A server goes on with the webhooks that it has read once',
    file: 'src/operations/events/tell.ts',
    find: 'if (this.#watching && this.#revision === revision)',
    replace: 'if (this.#watching)',
    tests: [events],
  },
  {
    name: 'What was written without a change is an event',
    file: 'src/operations/events/causes.ts',
    find: "if (changed.length > 0) add('update', { changed, ...(hasPaths",
    replace: "add('update', { changed, ...(hasPaths",
    tests: [events],
  },
  {
    name: 'Each item of a call has a delivery of its own',
    file: 'src/webhooks/payload.ts',
    find: 'const { eventsOfDelivery } = webhookLimits',
    replace: 'const eventsOfDelivery = 1',
    tests: [events],
  },
  {
    name: 'What is lent to a reader is lent to another one too',
    file: 'src/webhooks/pull-operations.ts',
    find: 'leasedUntil <= now &&',
    replace: '',
    tests: [deliveries],
  },
  {
    name: 'A delivery is fetched before an earlier one of its object',
    file: 'src/webhooks/pull-operations.ts',
    find: '!objects.some((object) => held.has(object))',
    replace: 'true',
    tests: [deliveries],
  },
  {
    name: 'A delivery is sent while an earlier one of its object is in its quick attempts',
    file: 'src/webhooks/sending-operations.ts',
    find: 'const isHeld = objects.some((object) => held.has(object))',
    replace: 'const isHeld = false',
    tests: [sending],
  },
  {
    name: 'The window of a policy slides with each failure',
    file: 'src/webhooks/attempts.ts',
    find: 'windowBeganAt: isOver ? now : windowBeganAt',
    replace: 'windowBeganAt: now',
    tests: [attempts],
  },
  {
    name: 'Each attempt counts as a failure for the policy',
    file: 'src/webhooks/attempts.ts',
    find: 'tries === quick ? countFailure(hook, now) : hook',
    replace: 'countFailure(hook, now)',
    tests: [attempts],
  },
  {
    name: 'A success ends the window of the policy',
    file: 'src/webhooks/attempts.ts',
    find: 'hook: { ...hook, failuresInRow: 0, waitsUntil: undefined },',
    replace: 'hook: { ...hook, failuresInRow: 0, failures: 0, waitsUntil: undefined },',
    tests: [attempts],
  },
  {
    name: 'A receiver that asks to wait is not waited for',
    file: 'src/webhooks/attempts.ts',
    find: 'if (asked === undefined || wait === undefined)',
    replace: 'if (asked !== undefined || wait === undefined)',
    tests: [attempts],
  },
  {
    name: 'A receiver that is gone gets further deliveries',
    file: 'src/webhooks/attempts.ts',
    find: 'if (status === 410)',
    replace: 'if (status === 411)',
    tests: [attempts, sending],
  },
  {
    name: 'An organization has one webhook more than it may',
    file: 'src/webhooks/hook-operations.ts',
    find: 'others.length >= webhookLimits.hooks',
    replace: 'others.length > webhookLimits.hooks',
    tests: [hooks],
  },
  {
    name: 'Names of webhooks differ by their letters alone',
    file: 'src/webhooks/hook.ts',
    find: "name.normalize('NFKC').toLowerCase()",
    replace: "name.normalize('NFKC')",
    tests: [hooks],
  },
  {
    name: 'A copy of a database sends to the receivers of the real one',
    file: 'src/webhooks/serving-operations.ts',
    find: 'if (placeOf(settings.portalUrl) !== placeOf(portalUrl))',
    replace: 'if (settings.portalUrl === undefined)',
    tests: [keptForATime],
  },
  {
    name: 'A queue that overflows says so in each round',
    file: 'src/webhooks/housekeeping-operations.ts',
    find: 'if (hook.hasOverflowed) return { isDone, audit: nothingDone }\n  await webhooks.updateWebhook({ ...hook, hasOverflowed: true })',
    replace: 'await webhooks.updateWebhook({ ...hook, hasOverflowed: false })',
    tests: [keptForATime],
  },
  {
    name: 'Failed deliveries are kept as shortly as sent ones',
    file: 'src/webhooks/housekeeping-operations.ts',
    find: 'failed: now - keptFor.failed',
    replace: 'failed: now - 1',
    tests: [keptForATime],
  },
]
