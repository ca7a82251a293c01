// A worker that writes one file to the browser’s own store: only workers may write there without a copy (W-25).

export type DiskRequest = { open: { folder: string; name: string } } | { bytes: Uint8Array } | { close: true }

/** Sync access handles exist in workers only. */
interface SyncFile {
  write(bytes: Uint8Array, options: { at: number }): number
  close(): void
}
type SyncHandle = FileSystemFileHandle & { createSyncAccessHandle(): Promise<SyncFile> }

let file: SyncFile | null = null
let at = 0

async function carryOut(request: DiskRequest): Promise<void> {
  if ('open' in request) {
    const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle(request.open.folder)
    const handle = await folder.getFileHandle(request.open.name, { create: true })
    file = await (handle as SyncHandle).createSyncAccessHandle()
  } else if ('bytes' in request) at += file!.write(request.bytes, { at })
  else file?.close()
}

addEventListener('message', ({ data }: MessageEvent<DiskRequest>) => {
  carryOut(data).then(
    () => postMessage(null),
    (thrown: unknown) => postMessage(thrown instanceof Error ? thrown.name : String(thrown)),
  )
})
