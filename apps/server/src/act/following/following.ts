import { isDeepStrictEqual } from 'node:util'
import type { Values } from '@qd/core/define'
import { isFollower, renamedGroup } from '@qd/core/resources'
import type { Base } from '../../base.ts'
import type { Engine } from '../../kernel/engine.ts'
import { createFollow } from './follow.ts'

/** What agents report of their hosts changes a server without a word: it is looked for this often. */
const lookEveryMs = 10_000

/**
 * Keeps the servers of records up to date with the selection that they follow: soon after a server, a group or an account changed. The
 * engines and the wire then find the resolved list where it always was.
 */
export function createFollowing(
  base: Pick<Base, 'kept' | 'accounts' | 'clock' | 'log' | 'servers' | 'serverGroups'>,
): Engine {
  const { kept, accounts, clock, log, servers, serverGroups } = base
  const follow = createFollow(base)
  const followers = kept.filter(({ resource }) => isFollower(resource))
  let unlisten: (() => void)[] = []
  let cancel = () => {}
  let known = ''
  let isDue = false
  let working: Promise<void> = Promise.resolve()
  let trouble: string | null = null

  async function bringUpToDate(): Promise<void> {
    for (const { resource, records } of followers) {
      for (const row of records.all()) {
        const before: Values = { ...row }
        const wanted = follow(resource, before, row.owner_id)
        const isSame = Object.entries(wanted).every(([field, value]) => isDeepStrictEqual(before[field], value))
        if (isSame) continue
        // Its turn comes later: what it follows then counts.
        await records.update(row.id, (now) => ({ ...now, ...follow(resource, { ...now }, now.owner_id) }), {
          isCleaning: true,
        })
      }
    }
  }

  function due() {
    if (isDue) return
    isDue = true
    working = working
      .then(() => {
        isDue = false
        return bringUpToDate()
      })
      .then(
        () => {
          trouble = null
        },
        (error: unknown) => {
          trouble = 'failed to update servers from queries'
          log.error({ err: error }, trouble)
        },
      )
  }

  /** A selection that names a group goes on naming it. */
  async function rename(from: string, to: string): Promise<void> {
    for (const { records } of followers) {
      for (const row of records.all()) {
        const { chosen_by: before = '' } = row as { chosen_by?: string }
        const text = renamedGroup(before, { from, to })
        if (text !== before) await records.update(row.id, (now) => ({ ...now, chosen_by: text }), { isCleaning: true })
      }
    }
  }

  function look() {
    cancel = clock.after(lookEveryMs, look)
    const now = [servers, serverGroups, accounts].map((one) => one.version()).join('.')
    if (now !== known) due()
    known = now
  }

  return {
    name: 'following',
    async start() {
      unlisten = [
        servers.onChange(due),
        serverGroups.onChange(({ before, after }) => {
          const isRenamed = before && after && before.name !== after.name
          if (isRenamed) working = working.then(() => rename(before.name, after.name))
          due()
        }),
      ]
      due()
      look()
    },
    trouble: () => trouble,
    async stop() {
      cancel()
      for (const stop of unlisten) stop()
      await working
    },
  }
}
