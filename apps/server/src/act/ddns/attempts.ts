import { toAppError } from '@qd/core/errors'
import type { DdnsResult } from '@qd/core/schemas'
import type { Clock } from '../../kernel/ports.ts'
import { errorText } from '../../kernel/texts.ts'
import type { DdnsRow, ServerRow } from '../../store/records/rows.ts'
import { toInstant } from '../../store/records/wire.ts'
import type { WantedRecord } from './plan.ts'
import type { DdnsProviderPort } from './provider.ts'

/** Records of one update that are asked for at the same time. */
const atOnce = 4
/** Of an error this much is kept. */
const mostSaid = 300

/** What an update is made of. `isOver`: true from when the server stops. */
export interface UpdateParts {
  profile: DdnsRow
  server: Pick<ServerRow, 'id' | 'name'>
  provider: DdnsProviderPort
  clock: Clock
  isOver(): boolean
}

/** Asks for every record, each at most `max_retries` times, and says of each how it went. Never throws. */
export async function publishAll(wanted: readonly WantedRecord[], parts: UpdateParts): Promise<readonly DdnsResult[]> {
  const { pauseMs = 0 } = parts.provider
  const results: DdnsResult[] = []
  const waiting = [...wanted]
  let isFirst = true
  async function work() {
    for (let next = waiting.shift(); next && !parts.isOver(); next = waiting.shift()) {
      const pause = async () => {
        if (pauseMs > 0 && !isFirst) await new Promise<void>((resolve) => parts.clock.after(pauseMs, resolve))
        isFirst = false
      }
      results.push(await publish(next, parts, pause))
    }
  }
  await Promise.all(Array.from({ length: pauseMs > 0 ? 1 : atOnce }, work))
  return results
}

async function publish(wanted: WantedRecord, parts: UpdateParts, pause: () => Promise<void>): Promise<DdnsResult> {
  const { profile, server, provider, clock } = parts
  let error = ''
  let tries = 0
  do {
    tries += 1
    await pause()
    error = await provider.publish(profile, wanted).then(
      () => '',
      (thrown: unknown) => errorText(toAppError(thrown)),
    )
  } while (error !== '' && tries < profile.max_retries && !parts.isOver())
  return {
    ...wanted,
    server_id: server.id,
    server: server.name,
    at: toInstant(clock.now()),
    error: withoutSecrets(error, profile).slice(0, mostSaid),
    tries,
  }
}

/** A provider may repeat what it was sent. */
function withoutSecrets(text: string, { access_secret }: DdnsRow): string {
  return access_secret.length < 4 ? text : text.replaceAll(access_secret, '***')
}
