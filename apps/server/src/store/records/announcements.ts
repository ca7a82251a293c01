import type { ResourceName } from '@qd/core/define'
import { createListeners } from '../../kernel/listeners.ts'

/** A record whose answer has changed, although no store wrote it. */
export interface Announcement {
  resource: ResourceName
  id: number
  /** Users who may hear of it besides admins; null: every signed-in user. */
  ownerId: number | null
}

/** How engines say that a record has new figures, so that those who look at it read it again. */
export interface Announcements {
  announce(announcement: Announcement): void
  /** Rises with everything announced of a resource. */
  versionOf(resource: ResourceName): number
  onAnnounce(listen: (announcement: Announcement) => void): () => void
}

/** Nothing announced yet. */
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
