import { useValue } from '@legendapp/state/react'
import { useEffect } from 'react'
import { onCommand } from '../commands.ts'
import { overlays$ } from '../overlays.ts'
import { Palette } from '../palette/Palette.tsx'
import { undo } from '../perform.ts'
import { runner, session } from '../stores.ts'
import { ActivityHost } from './Activity.tsx'
import { ConfirmHost } from './Confirm.tsx'
import { KeysHost } from './Keys.tsx'
import { FormHost } from './ResourceFormDialog.tsx'
import { Toasts } from './Toasts.tsx'
import { startToasts } from './toast-queue.ts'

/** All that floats over the page, fetched at idle: forms, key sheet, palette, confirms, toasts; the later one lies above. */
export function Overlays() {
  const isGuest = useValue(() => session.state$.profile.get() === null)
  useEffect(startToasts, [])
  useEffect(() => onCommand('undo', () => (runner.undo$.peek() === null ? false : void undo())), [])
  useEffect(() => {
    if (isGuest) overlays$.assign({ palette: null, form: null, keys: false, activity: false })
  }, [isGuest])
  return (
    <>
      {!isGuest && (
        <>
          <FormHost />
          <KeysHost />
          <ActivityHost />
          <Palette />
          <ConfirmHost />
        </>
      )}
      <Toasts />
    </>
  )
}
