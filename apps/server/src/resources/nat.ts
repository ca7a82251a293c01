import { AppError, type ProblemCode } from '@qd/core/errors'
import { nat } from '@qd/core/resources'
import { taskType } from '@qd/protocol/task-types'
import { cleanOutput } from '../agents/clean-text.ts'
import { isReservedHost, ownHosts } from '../net/reserved-hosts.ts'
import type { MutableRecords } from '../records/records.ts'
import type { NatRow } from '../records/rows.ts'
import { texts } from '../texts.ts'
import { defineEntity, type Entity, storedFields } from './entity.ts'

/** NAT profiles: web servers behind agents, reached under names of their own. */
export const natProfiles: Entity<'nat', NatRow, MutableRecords<NatRow>> = defineEntity<'nat', NatRow>(nat, {
  table: 'nat',
  rules(container, _around, profiles) {
    const { questions, announcements, clock, settings, config, log } = container
    const refuse = (code: ProblemCode, text: string) =>
      new AppError('invalid', { text }, { problems: [{ field: 'domain', code }] })

    async function check({ id, server_id, host, owner_id }: NatRow): Promise<void> {
      const result = await questions.ask(server_id, { type: taskType.tcpProbe, data: host })
      const error =
        result === null
          ? texts.notConnected
          : result === 'late'
            ? texts.operationTimeout
            : result.successful
              ? ''
              : cleanOutput(result.data) || texts.targetSilent
      await profiles.patch(id, { checked_at: clock.now(), check_error: error.slice(0, 300) })
      announcements.announce({ resource: 'nat', id, ownerId: owner_id })
    }

    // What was never looked at, or was something else when it was, is looked at once.
    profiles.onChange(({ before, after, isCleaning }) => {
      if (!after || isCleaning || (before?.host === after.host && before.server_id === after.server_id)) return
      check(after).catch((err: unknown) => log.warn({ err, profile: after.id }, 'failed to check NAT target'))
    })
    return {
      fieldsOf: (row) => storedFields(nat, row),
      otherVersion: () => String(announcements.versionOf('nat')),
      omit: ['checked_at', 'check_error'],
      fresh: { checked_at: null, check_error: '' },
      texts: {
        'server_id.tooSmall': () => texts.natServer,
        'server_id.unknownReference': () => texts.natServer,
      },
      async prove(input, before, caller) {
        const { domain } = input as unknown as NatRow
        if (isReservedHost(domain, [...ownHosts(settings.get(), config.host), ...(caller.host ? [caller.host] : [])]))
          throw refuse('reserved', texts.permission)
        if (profiles.all().some((row) => row.domain === domain && row.id !== before?.id))
          throw refuse('taken', texts.database)
      },
      actions: { check: (_caller, row) => check(row) },
    }
  },
})
