import { listLine } from '@qd/core/actions'
import { recordPath } from '@qd/core/view'
import { listOf } from '../../base/state/list-state.ts'
import { pageResource, pageRows } from '../../base/state/page.ts'
import { copy } from './perform.ts'

export function copyList(): void {
  const resource = pageResource()
  if (!resource) return
  void copy(listLine(resource, resource.wire.shape === 'many' ? listOf(resource).filter : ''))
}

export function openRow(): void {
  const resource = pageResource()
  const [row] = pageRows()
  if (!resource || !row) return
  const address = Object.entries(resource.fields).find(
    ([field, { kind }]) => kind === 'address' && /^https?:\/\//i.test(String(row[field])),
  )
  if (address) window.open(String(row[address[0]]), '_blank', 'noopener,noreferrer')
  else window.open(recordPath(resource, row.id), '_blank', 'noopener')
}
