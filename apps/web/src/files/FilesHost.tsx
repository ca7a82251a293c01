import { useValue } from '@legendapp/state/react'
import { overlays$ } from '../base/state/overlays.ts'
import { FilePanel } from './FilePanel.tsx'

export function FilesHost() {
  const files = useValue(overlays$.files)
  if (!files) return null
  return (
    <FilePanel
      key={files.server}
      server={files.server}
      path={files.path}
      startsTyping
      isSheet
      onClose={() => overlays$.files.set(null)}
    />
  )
}
