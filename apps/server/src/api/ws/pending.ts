import type { ResourceName } from '@qd/core/define'
import type { RunProgress } from '../../act/runs/open-runs.ts'
import type { Base } from '../../base.ts'
import type { LiveView } from '../../fleet/live/view.ts'
import { toInstant } from '../../store/records/wire.ts'

interface RecordNotice {
  resource: ResourceName
  ids: number[]
  /** By `ids`: `updated_at` if a save changed the record last, so that who has it needs no new reading; otherwise null. */
  saved?: (string | null)[]
  version: number
}

/** Owners null: readable by every user. */
interface Changed {
  owners: ReadonlySet<number | null>
  saved: string | null
}

export type Pending = ReturnType<typeof createPending>

export function createPending(
  base: Pick<Base, 'kept' | 'settings' | 'clock' | 'announcements'>,
  onProgress: (listen: (run: RunProgress) => void) => unknown,
  onChange: () => void,
) {
  const { kept, settings, clock, announcements } = base
  const records = new Map<ResourceName, { version: number; changes: Map<number, Changed> }>()
  const runs = new Map<number, RunProgress>()
  // Stores count from 1; on the wire, versions keep rising across restarts.
  const startedAt = clock.now()

  function note(
    resource: ResourceName,
    {
      version,
      id,
      owners,
      saved = null,
    }: { version: number; id: number; owners: (number | null)[]; saved?: string | null },
  ) {
    const { changes } = records.get(resource) ?? { changes: new Map<number, Changed>() }
    changes.set(id, { owners: new Set([...(changes.get(id)?.owners ?? []), ...owners]), saved })
    records.set(resource, { version, changes })
    onChange()
  }
  const sources: Partial<Record<ResourceName, { version(): number }>> = {
    ...Object.fromEntries(kept.map(({ resource, records }) => [resource.name, records])),
    setting: settings,
    // Only announced.
    incident: { version: () => 0 },
    user: { version: () => 0 },
    waf: { version: () => 0 },
    'online-user': { version: () => 0 },
  }
  const versionOf = (resource: ResourceName) =>
    startedAt + (sources[resource]?.version() ?? 0) + announcements.versionOf(resource)
  for (const { resource, records: source, concerned } of kept) {
    source.onChange(({ id, before, after }) => {
      const owners = [before, after].flatMap((row) => (row ? concerned(row) : []))
      const saved = after && after.updated_at !== before?.updated_at ? toInstant(after.updated_at) : null
      note(resource.name, { version: versionOf(resource.name), id, owners, saved })
    })
  }
  settings.onChange(() => note('setting', { version: versionOf('setting'), id: settingId, owners: [null] }))
  announcements.onAnnounce(({ resource, id, ownerId }) =>
    note(resource, { version: versionOf(resource), id, owners: [ownerId] }),
  )
  onProgress((run) => {
    runs.set(run.id, run)
    const { changedCron: id, ownerId } = run
    if (id !== 0) note('cron', { version: versionOf('cron'), id, owners: [ownerId] })
    onChange()
  })

  const orNothing = <T>(list: T[]) => (list.length > 0 ? list : undefined)
  return {
    records(view: LiveView): RecordNotice[] | undefined {
      if (view.key === 'guest') return undefined
      const hears = (owners: ReadonlySet<number | null>) =>
        [...owners].some((owner) => owner === null || view.reads(owner))
      const notices = [...records].map(([resource, { version, changes }]) => {
        const heard = [...changes].filter(([, { owners }]) => hears(owners))
        const saved = heard.map(([, change]) => change.saved)
        return { resource, ids: heard.map(([id]) => id), ...(saved.some(Boolean) && { saved }), version }
      })
      return orNothing(notices.filter(({ ids }) => ids.length > 0))
    },
    runs: (view: LiveView) =>
      orNothing(
        [...runs.values()]
          .filter(({ ownerId }) => view.key !== 'guest' && view.reads(ownerId))
          .map(({ id, counts, finishedAt, rollout }) => ({
            id,
            counts,
            finished_at: finishedAt === null ? null : new Date(finishedAt).toISOString(),
            ...(rollout && { rollout }),
          })),
      ),
    versions: () =>
      Object.fromEntries(Object.keys(sources).map((resource) => [resource, versionOf(resource as ResourceName)])),
    isEmpty: () => records.size + runs.size === 0,
    clear(): void {
      records.clear()
      runs.clear()
    },
  }
}

const settingId = 1
