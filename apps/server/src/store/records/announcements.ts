import type { ResourceName } from '@qd/core/define'
import { createListeners } from '../../kernel/listeners.ts'

/** A change of a record's figures that no store wrote. */
export interface Announcement {
  resource: ResourceName
  id: number
  /** Users who may see it besides administrators; null: all. */
  ownerId: number | null
}

/** Tells clients to reload a record whose figures changed. */
export interface Announcements {
  announce(announcement: Announcement): void
  /** Rises with each announcement of the resource. */
  versionOf(resource: ResourceName): number
  onAnnounce(listen: (announcement: Announcement) => void): () => void
}

export function createAnnouncements(): Announcements {
  const versions = new Map<ResourceName, number>()
  const listeners = createListeners<[Announcement]>()
  return {
    announce(announcement) {
      const { resource } = announcement
      versions.set(resource, (versions.get(resource) ?? 0) + 1)
      listeners.notify(announcement)
    },
    versionOf: (resource) => versions.get(resource) ?? 0,
    onAnnounce: listeners.add,
  }
}
