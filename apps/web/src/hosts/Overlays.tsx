import { useValue } from '@legendapp/state/react'
import { listLine } from '@qd/core/actions'
import { recordPath } from '@qd/core/view'
import { Suspense, useEffect, useLayoutEffect } from 'react'
import { FormHost } from '../form/FormHost.tsx'
import { onCommands } from '../keys/commands.ts'
import { Palette } from '../palette/Palette.tsx'
import { keepWarm } from '../palette/search.ts'
import { copy } from '../perform/perform.ts'
import { ConfirmHost } from '../questions/ConfirmHost.tsx'
import { lazyPart } from '../state/lazy-part.ts'
import { listState$ } from '../state/list-state.ts'
import { noOverlays, overlays$ } from '../state/overlays.ts'
import { pageResource, pageRows } from '../state/page.ts'
import { session } from '../state/stores.ts'
import { ActivityHost } from './ActivityHost.tsx'
import { KeysHost } from './KeysHost.tsx'
import { ReportHost } from './ReportHost.tsx'
import { SecretHost } from './SecretHost.tsx'
import { Toasts } from './Toasts.tsx'
import { startToasts } from './toast-queue.ts'

const FilesHost = lazyPart(async () => (await import('../files/FilesHost.tsx')).FilesHost)

/** All that floats over the page, fetched when somebody is at it: forms, key sheet, palette, confirms, toasts; the later one lies above. */
export function Overlays() {
  const isGuest = useValue(() => session.state$.profile.get() === null)
  const hasFiles = useValue(() => overlays$.files.get() !== null)
  useEffect(startToasts, [])
  useEffect(keepWarm, [])
  // Before the effects of what is inside: whoever is on screen is asked first.
  useLayoutEffect(
    () =>
      onCommands({
        openLink: openRow,
        copyCli: copyList,
      }),
    [],
  )
  useEffect(() => {
    if (isGuest) overlays$.assign(noOverlays)
  }, [isGuest])
  return (
    <>
      {!isGuest && (
        <>
          <Suspense>{hasFiles && <FilesHost />}</Suspense>
          <FormHost />
          <KeysHost />
          <ActivityHost />
          <Palette />
          <ConfirmHost />
          <SecretHost />
          <ReportHost />
        </>
      )}
      <Toasts />
    </>
  )
}

/** The list on screen as the CLI prints it. */
function copyList(): boolean {
  const resource = pageResource()
  if (!resource) return false
  void copy(listLine(resource, resource.wire.shape === 'many' ? listState$(resource).filter.peek() : ''))
  return true
}

/** What the focused record is an address of, else the record, in a tab of its own. */
function openRow(): boolean {
  const resource = pageResource()
  const [row] = pageRows()
  if (!resource || !row) return false
  const address = Object.entries(resource.fields).find(
    ([field, { kind }]) => kind === 'address' && /^https?:\/\//i.test(String(row[field])),
  )
  if (address) window.open(String(row[address[0]]), '_blank', 'noopener,noreferrer')
  else window.open(recordPath(resource, row.id), '_blank', 'noopener')
  return true
}
