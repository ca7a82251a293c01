import { detailNeeds, watchAllowed } from '@qd/core/store'
import { tagsOf } from '@qd/core/view'
import { useEffect } from 'react'
import { records, session } from '../../base/state/stores.ts'
import { surface } from '../../base/state/surface.ts'
import { Note } from '../../ui/Note.tsx'
import { Tag } from '../../ui/Tags.tsx'
import { useOfRow, useRowStatus } from '../fields/cells.ts'
import { PanelFrame, type PanelProps } from './PanelFrame.tsx'
import { Sections } from './Sections.tsx'

export function DetailPanel(props: PanelProps) {
  const { resource, id } = props
  const status = useRowStatus(resource, id)
  const tags = useOfRow(resource, id, (row) => tagsOf(surface(), resource, row)) ?? []
  useEffect(() => {
    // Server-paged lists are requested where they are drawn.
    const lists = detailNeeds(resource).filter(({ wire }) => wire.paging === 'all')
    return watchAllowed(records, lists, { viewer: session.viewer(), supports: session.supports })
  }, [resource])
  return (
    <PanelFrame tags={tags.map((tag) => <Tag key={tag} text={tag} />)} {...props}>
      {status?.absence && <Note tone={status.tone === 'bad' ? 'bad' : 'plain'} title={status.absence} />}
      <Sections resource={resource} id={id} />
    </PanelFrame>
  )
}
