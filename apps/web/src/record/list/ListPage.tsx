import { allowed, type Resource } from '@qd/core/define'
import { Navigate } from 'react-router-dom'
import { useFamily } from '../../act/places/navigation.ts'
import { session } from '../../base/state/stores.ts'
import { ResourceList } from './ResourceList.tsx'

/** The list of a resource. Without the right to see it, redirects to the first of its family. */
export function ListPage({ resource }: { resource: Resource }) {
  const [home] = useFamily(resource)
  const isMine = allowed(session.viewer(), { audience: resource.audience.read, scope: resource.scopes.read })
  return isMine || !home ? <ResourceList resource={resource} /> : <Navigate to={home.path} replace />
}
