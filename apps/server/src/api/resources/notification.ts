import type { InputOf } from '@qd/core/define'
import { AppError } from '@qd/core/errors'
import { notification } from '@qd/core/resources'
import { RequestMethod, RequestType } from '@qd/core/schemas'
import { type Caller, createPersonLimit } from '../../kernel/caller.ts'
import { errorText, texts } from '../../kernel/texts.ts'
import { readInput } from '../../store/records/input.ts'
import type { MutableRecords } from '../../store/records/records.ts'
import { owns, ownsServer } from '../../store/records/rights.ts'
import type { NotificationRecords, NotificationRow } from '../../store/records/rows.ts'
import { randomText } from '../../store/records/secrets.ts'
import { hostOf, type NotifierValues, originOf } from '../../watch/notices/delivery.ts'
import type { TestResult } from '../../watch/notices/types.ts'
import { defineEntity, type Entity, storedFields } from './entity.ts'

/** Defaults: GET, JSON (decisions.md, "Notifier request method"; spec section 3). */
const defaults = { request_method: RequestMethod.GET, request_type: RequestType.json }

const ownTexts = {
  'request_method.notOption': () => texts.requestMethod,
  'request_type.notOption': () => texts.requestType,
  'request_header.notHeaders': () => texts.wrongType,
  'url.notUrl': () => texts.outboundRefused,
}

/** Other changes need no test. */
const sentFields = [
  'url',
  'request_method',
  'request_type',
  'request_header',
  'request_body',
  'verify_tls',
  'format_metric_units',
] as const satisfies readonly (keyof NotifierValues)[]

const testTimeoutMs = 10_000

const maxTests = 4

type MutableNotifications = MutableRecords<NotificationRow> & NotificationRecords

export const notifications: Entity<'notification', NotificationRow, MutableNotifications> = defineEntity(notification, {
  table: 'notifications',
  extend: (records) => ({
    ...records,
    sent: (id, { at, error }) => records.patch(id, { last_sent_at: at, last_error: error }),
  }),
  rules({ deliver, servers, live, random }, { clock }, notifications) {
    /** Fills placeholders with the chosen server, else the caller's first online one, as in the preview. */
    const sampleFor = ({ viewer }: Caller, chosen: unknown): number | null => {
      const own = servers.all().filter((row) => ownsServer(viewer, row))
      const sample = own.find(({ id }) => id === chosen) ?? own.find(({ id }) => live.lastActive(id) !== null) ?? own[0]
      return sample?.id ?? null
    }
    const test = (caller: Caller, values: NotifierValues, chosen?: unknown) =>
      deliver(values, {
        notice: randomText(random, 20),
        message: texts.testMessage,
        serverId: sampleFor(caller, chosen),
        timeoutMs: testTimeoutMs,
      })
    const limited = createPersonLimit(maxTests)
    return {
      byIds: true,
      fieldsOf,
      fresh: { last_sent_at: null, last_error: '' },
      notStored: ['skip_check'],
      texts: ownTexts,
      defaults,
      async prove({ skip_check, ...input }: InputOf<typeof notification>, before, caller) {
        const values = requestOf(input)
        if (before) demandOwnSecrets(values, before)
        const isAsSent = before && sentFields.every((field) => values[field] === before[field])
        if (!skip_check && !isAsSent) await limited(caller, () => test(caller, values))
      },
      actions: {
        async test(caller, row) {
          const outcome = await limited(caller, () => attempt(() => test(caller, row)))
          await notifications.sent(row.id, { at: clock.now(), error: outcome.error })
          if (outcome.thrown) throw outcome.thrown
          return outcome.result
        },
      },
      calls: {
        async test(caller, body) {
          const { id, server_id: chosen } = (body ?? {}) as { id?: unknown; server_id?: unknown }
          const before = typeof id === 'number' ? notifications.find(id) : undefined
          if (typeof id === 'number' && !(before && owns(caller.viewer, before))) {
            throw new AppError('notFound', { resource: notification.name, id })
          }
          const input = readInput(notification, body, {
            texts: ownTexts,
            defaults,
            ...(before && { before: fieldsOf(before) }),
          })
          const values = requestOf(input)
          if (before) demandOwnSecrets(values, before)
          return limited(caller, () => test(caller, values, chosen))
        },
      },
    }
  },
})

const requestOf = (input: Omit<InputOf<typeof notification>, 'skip_check'>): NotifierValues => ({
  ...input,
  request_header: input.request_header ?? '',
  request_body: input.request_body ?? '',
})

const fieldsOf = (row: NotificationRow) => ({ ...storedFields(notification, row), host: hostOf(row.url) })

/** Secrets stored for one server aren't sent to another, where a user could read them (behaviour S-35). Errors: `invalid`. */
function demandOwnSecrets(values: NotifierValues, before: NotificationRow): void {
  if (originOf(values.url) === originOf(before.url)) return
  const kept = (['request_header', 'request_body'] as const).filter(
    (field) => before[field] !== '' && values[field] === before[field],
  )
  if (kept.length === 0) return
  const problems = kept.map((field) => ({ field, code: 'required' }) as const)
  throw new AppError('invalid', { text: texts.keptForOther }, { problems })
}

async function attempt(work: () => Promise<TestResult>) {
  try {
    return { result: await work(), error: '', thrown: null }
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    return { result: null, error: errorText(thrown), thrown }
  }
}
