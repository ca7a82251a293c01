import type { Resource, SectionKind, SectionOf } from '@qd/core/define'

export interface SectionProps<K extends SectionKind> {
  resource: Resource
  id: number
  section: SectionOf<K>
}
