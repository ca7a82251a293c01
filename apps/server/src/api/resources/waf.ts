import { type AnyRow, actionOf, Role, type Viewer } from '@qd/core/define'
import { AppError } from '@qd/core/errors'
import { waf, wafId } from '@qd/core/resources'
import { blockTargets, demandBlockable } from '../../access/blocking.ts'
import { manual } from '../../access/firewall.ts'
import { maskedAddress, targetOf } from '../../kernel/net/address-ranges.ts'
import { texts } from '../../kernel/texts.ts'
import type { Handle } from '../../store/records/commit.ts'
import { readArgs } from '../../store/records/input.ts'
import { answerPage, sourceOf } from '../../store/records/pages.ts'
import { demandFor, demandRight } from '../../store/records/rights.ts'
import { toInstant } from '../../store/records/wire.ts'
import type { Container } from '../container.ts'
import type { Served } from './entity.ts'
import { noRoutes, type ResourceStore, type Surroundings } from './store.ts'

export const wafRoutes: Served<'waf'> = { resource: waf, serve: createWafStore }

const maxBatch = 10_000

/** Members see masked addresses; administrators block and unblock. */
function createWafStore(container: Container, around: Surroundings): ResourceStore {
  const { firewall, settings, announcements, clock } = container
  function rowsFor({ role }: Viewer): readonly (AnyRow & { id: number })[] {
    const isAdmin = role === Role.admin
    return firewall.all().map(({ row: { note, blocked_until: _until, ...row }, until }) => ({
      id: wafId(row.ip, row.block_identifier),
      ...row,
      ip: isAdmin ? row.ip : maskedAddress(row.ip),
      ...(isAdmin && note !== '' && { note }),
      blocked_until: until === null ? null : toInstant(until),
    }))
  }

  function changed(ip: string): void {
    announcements.announce({ resource: 'waf', id: wafId(ip, manual.identifier), ownerId: 0 })
  }

  return {
    ...noRoutes,
    resource: waf,
    async list({ viewer }, query) {
      demandRight(settings, viewer, waf, 'read')
      const view = around.view(viewer)
      const source = sourceOf(waf, [...rowsFor(viewer)].reverse(), { recordOf: (row) => row, view })
      return answerPage(waf, query, { source, view })
    },
    async call(caller, action, body, note) {
      const also = (db: Handle) => note?.(db)
      demandFor(settings, caller.viewer, waf, action)
      if (action.name === 'unblock') {
        const targets = readTexts(body).flatMap((text) => targetOf(text) ?? [])
        if (targets.length > 0) await firewall.unblock(targets, also)
        targets.forEach(changed)
        return null
      }
      const { address, duration, note: reason } = readArgs(actionOf(waf, 'block'), body)
      const target = targetOf(String(address))
      if (target === null) throw new AppError('invalid', {}, { problems: [{ field: 'address', code: 'notAddress' }] })
      demandBlockable(container.firewall, [target], caller)
      const until = Number(duration) === 0 ? null : clock.now() + Number(duration) * 1000
      await blockTargets(container, [target], { until, note: String(reason) }, also)
      changed(target)
      return null
    },
  }
}

export function readTexts(body: unknown): string[] {
  const list = body ?? []
  if (!Array.isArray(list) || !list.every((text) => typeof text === 'string') || list.length > maxBatch)
    throw new AppError('invalid', { text: texts.bodyAddresses })
  return list
}
