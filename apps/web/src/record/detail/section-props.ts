import type { Resource, SectionKind, SectionOf } from '@qd/core/define'

/** What a section is drawn from. */
export interface SectionProps<K extends SectionKind> {
  resource: Resource
  id: number
  section: SectionOf<K>
}
