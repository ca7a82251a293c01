import type { ResourceName } from '@qd/core/define'
import { createListeners } from '../../kernel/listeners.ts'

export interface Announcement {
  resource: ResourceName
  id: number
  /** Users who may see it besides administrators; null: all. */
  ownerId: number | null
}

export type Announcements = ReturnType<typeof createAnnouncements>

export function createAnnouncements() {
  const versions = new Map<ResourceName, number>()
  const listeners = createListeners<[Announcement]>()
  return {
    announce(announcement: Announcement): void {
      const { resource } = announcement
      versions.set(resource, (versions.get(resource) ?? 0) + 1)
      listeners.notify(announcement)
    },
    versionOf: (resource: ResourceName) => versions.get(resource) ?? 0,
    onAnnounce: listeners.add,
  }
}
