import type { ServiceRow } from '../../store/records/rows.ts'
import type { Incidents } from '../incidents/types.ts'
import type { Notices } from '../notices/types.ts'
import type { Effect, ProbeResult } from './decide.ts'

/** Carries out what a result led to. */
export function applyEffects(
  effects: readonly Effect[],
  { service, result }: { service: ServiceRow; result: ProbeResult },
  { incidents, notices }: { incidents: Incidents; notices: Notices },
): void {
  const { id, owner_id, name, notification_group_id: groupId } = service
  for (const effect of effects) {
    if (effect.kind === 'lift') notices.lift(effect.mute, groupId)
    else if (effect.kind === 'notice')
      notices.send({
        groupId,
        ownerId: owner_id,
        message: effect.message,
        serverId: result.serverId,
        mute: effect.mute,
      })
    else {
      const { kind, ...told } = effect
      const by = kind === 'failing' ? (result.failed ?? result) : result
      incidents[kind]({
        source: 'service',
        sourceId: id,
        serverId: by.serverId,
        ownerId: owner_id,
        name,
        groupId,
        ...told,
        reading: null,
        error: kind === 'failing' ? by.data : '',
        repeats: true,
        isNew: effects.some((other) => other.kind === 'lift' && other.mute === effect.mute),
      })
    }
  }
}
