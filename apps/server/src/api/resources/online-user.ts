import { Role } from '@qd/core/define'
import { AppError } from '@qd/core/errors'
import { onlineUser, wafId } from '@qd/core/resources'
import { blockTargets, demandBlockable } from '../../access/blocking.ts'
import { manual } from '../../access/firewall.ts'
import type { Online } from '../../fleet/live/view.ts'
import type { Caller } from '../../kernel/caller.ts'
import { maskedAddress, targetOf } from '../../kernel/net/address-ranges.ts'
import { texts } from '../../kernel/texts.ts'
import { answerPage, sourceOf } from '../../store/records/pages.ts'
import { demandFor, demandRight } from '../../store/records/rights.ts'
import { toInstant } from '../../store/records/wire.ts'
import type { Container } from '../container.ts'
import type { Served } from './entity.ts'
import { noRoutes, type ResourceStore, type Surroundings } from './store.ts'
import { readTexts } from './waf.ts'

export const onlineUserRoutes: Served<'online-user'> = { resource: onlineUser, serve: createOnlineUserStore }

/** Masks other users' details for members (contract engines 9). */
function createOnlineUserStore(container: Container, around: Surroundings): ResourceStore {
  const { online, settings, announcements } = container
  const recordOf =
    ({ viewer, address }: Caller) =>
    ({ id, connectedAt, client, caller }: Online) => {
      const { id: userId, username } = caller.viewer
      const isShown = viewer.role === Role.admin || (userId !== null && userId === viewer.id)
      return {
        id,
        ...(userId !== null && { user_id: userId }),
        ...(userId !== null && isShown && { username }),
        connected_at: toInstant(connectedAt),
        ip: isShown ? caller.address : maskedAddress(caller.address),
        ...(isShown && client !== '' && { client }),
        ...(caller.address === address && { is_self: true }),
      }
    }

  return {
    ...noRoutes,
    resource: onlineUser,
    async list(caller, query) {
      const { viewer } = caller
      demandRight(settings, viewer, onlineUser, 'read')
      const view = around.view(viewer)
      // The longest connected comes first.
      const source = sourceOf(onlineUser, [...online()].reverse(), { recordOf: recordOf(caller), view })
      return answerPage(onlineUser, query, { source, view })
    },
    async call(caller, action, body, note) {
      demandFor(settings, caller.viewer, onlineUser, action)
      const targets = [...new Set(readTexts(body))].map(targetOf)
      const bad = targets.indexOf(null)
      // Targets before an unreadable one are blocked nonetheless (contract engines 9).
      const good = (bad === -1 ? targets : targets.slice(0, bad)).flatMap((target) => target ?? [])
      demandBlockable(container.firewall, good, caller)
      if (good.length > 0) await blockTargets(container, good, { until: null, note: '' }, (db) => note?.(db))
      for (const target of good)
        announcements.announce({ resource: 'waf', id: wafId(target, manual.identifier), ownerId: 0 })
      if (bad !== -1) throw new AppError('invalid', { text: texts.database })
      return null
    },
  }
}
