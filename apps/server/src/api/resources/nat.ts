import type { InputOf } from '@qd/core/define'
import { AppError, type Problem } from '@qd/core/errors'
import { nat } from '@qd/core/resources'
import { taskType } from '@qd/protocol/task-types'
import { cleanOutput } from '../../fleet/agents/clean-text.ts'
import { plainHost } from '../../kernel/net/reserved-hosts.ts'
import { problemText, texts } from '../../kernel/texts.ts'
import type { MutableRecords } from '../../store/records/records.ts'
import type { NatRow } from '../../store/records/rows.ts'
import { defineEntity, type Entity, storedFields } from './entity.ts'

export const natProfiles: Entity<'nat', NatRow, MutableRecords<NatRow>> = defineEntity<'nat', NatRow>(nat, {
  table: 'nat',
  rules(container, _around, profiles) {
    const { questions, announcements, clock, settings, consoleNames, natNames, log } = container
    const refuse = (problem: Omit<Problem, 'field'>, text: string) =>
      new AppError('invalid', { text }, { problems: [{ field: 'domain', ...problem }] })

    async function check({ id, server_id, host, owner_id }: NatRow): Promise<void> {
      const result = await questions.ask(server_id, { type: taskType.tcpProbe, data: host })
      const error =
        result === null
          ? texts.notConnected
          : result === 'timeout'
            ? texts.operationTimeout
            : result.successful
              ? ''
              : cleanOutput(result.data) || texts.targetSilent
      await profiles.patch(id, { checked_at: clock.now(), check_error: error.slice(0, 300) })
      announcements.announce({ resource: 'nat', id, ownerId: owner_id })
    }

    profiles.onChange(({ before, after, isCleaning }) => {
      if (!after || isCleaning || (before?.host === after.host && before.server_id === after.server_id)) return
      check(after).catch((err: unknown) => log.warn({ err, profile: after.id }, 'failed to check NAT target'))
    })
    return {
      fieldsOf(row) {
        const refusal = natNames.refusalOf(row)
        const said = refusal && problemText([{ field: 'domain', ...refusal }])
        return { ...storedFields(nat, row), ...(said !== null && { check_error: said }) }
      },
      fieldsVersion: () => settings.version() + consoleNames.version(),
      otherVersion: () => `${announcements.versionOf('nat')}.${consoleNames.version()}`,
      fresh: { checked_at: null, check_error: '' },
      texts: {
        'server_id.tooSmall': () => texts.natServer,
        'server_id.unknownReference': () => texts.natServer,
      },
      async prove({ domain }: InputOf<typeof nat>, before, caller) {
        const owner_id = before?.owner_id ?? (caller.viewer.id as number)
        const isOpenHere = caller.host !== undefined && plainHost(caller.host) === plainHost(domain)
        const refusal = isOpenHere ? { code: 'reserved' as const } : natNames.refusalOf({ domain, owner_id })
        // A profile saved before its name was refused can still be changed or disabled, but isn't served.
        if (refusal && (refusal.code === 'reserved' || domain !== before?.domain))
          throw refuse(refusal, texts.permission)
        if (profiles.all().some((row) => row.domain === domain && row.id !== before?.id))
          throw refuse({ code: 'taken' }, texts.database)
      },
      actions: { check: (_caller, row) => check(row) },
    }
  },
})
