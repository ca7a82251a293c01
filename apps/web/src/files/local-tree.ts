import type { LocalFile, LocalTree } from '@qd/core/files'

function localFile(file: File): LocalFile {
  return {
    name: file.name,
    size: file.size,
    read: async (offset, length) => new Uint8Array(await file.slice(offset, offset + length).arrayBuffer()),
  }
}

export const chosenFiles = (files: Iterable<File>): LocalTree => ({
  files: [...files].map((file) => ({ file: localFile(file), folder: [] })),
  folders: [],
})

/** Files and folders of a drop or a paste, with everything in them. Takes the entries at once, because they are gone after the event. */
export function droppedTree(data: DataTransfer): { isEmpty: boolean; read(): Promise<LocalTree> } {
  const items = [...data.items].filter(({ kind }) => kind === 'file')
  const taken = items.map((item) => ({ entry: item.webkitGetAsEntry?.() ?? null, file: item.getAsFile() }))
  return {
    isEmpty: taken.length === 0,
    async read() {
      const files: LocalTree['files'][number][] = []
      const folders: string[][] = []
      const walk = async (entry: FileSystemEntry, folder: readonly string[]): Promise<void> => {
        if (isDirectory(entry)) {
          const own = [...folder, entry.name]
          folders.push(own)
          for (const one of await entriesOf(entry)) await walk(one, own)
        } else files.push({ file: localFile(await fileOf(entry as FileSystemFileEntry)), folder })
      }
      for (const { entry, file } of taken) {
        if (entry?.isDirectory) await walk(entry, [])
        else if (file) files.push({ file: localFile(file), folder: [] })
      }
      return { files, folders }
    },
  }
}

const isDirectory = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory

const fileOf = (entry: FileSystemFileEntry) => new Promise<File>((resolve, reject) => entry.file(resolve, reject))

/** A reader returns up to 100 entries at a time, then none. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader()
  const all: FileSystemEntry[] = []
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (some.length === 0) return all
    all.push(...some)
  }
}
