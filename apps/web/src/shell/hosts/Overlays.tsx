import { useValue } from '@legendapp/state/react'
import { Suspense, useEffect } from 'react'
import { lazyPart } from '../../base/state/lazy-part.ts'
import { noOverlays, overlays$ } from '../../base/state/overlays.ts'
import { session } from '../../base/state/stores.ts'
import { FormHost } from '../../record/form/FormHost.tsx'
import { ConfirmHost } from '../../record/questions/ConfirmHost.tsx'
import { Palette } from '../palette/Palette.tsx'
import { keepWarm } from '../palette/search.ts'
import { ActivityHost } from './ActivityHost.tsx'
import { KeysHost } from './KeysHost.tsx'
import { ReportHost } from './ReportHost.tsx'
import { SecretHost } from './SecretHost.tsx'
import { Toasts } from './Toasts.tsx'
import { startToasts } from './toast-queue.ts'

const FilesHost = lazyPart(async () => (await import('../../files/FilesHost.tsx')).FilesHost)

/** All that floats over the page, fetched when somebody is at it: forms, key sheet, palette, confirms, toasts; the later one lies above. */
export function Overlays() {
  const isGuest = useValue(() => session.state$.profile.get() === null)
  const hasFiles = useValue(() => overlays$.files.get() !== null)
  useEffect(startToasts, [])
  useEffect(keepWarm, [])
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
