import { markOf, parseAnswerFrame, parseFileError, parseFileRequest } from '@qd/protocol/files'
import { cleanOutput } from '../agents/clean-text.ts'

/** A longer message is file data. */
const maxRequestBytes = 16 * 1024

/** `sha256`: hex, of the agent's file; null if unknown. */
export type Uploaded = { path: string; sha256: string | null } | { path: string; error: string }

interface FileNotes {
  note(action: string, path: string): void
  uploaded(outcome: Uploaded): void
}

/** Observes a user's file requests for the audit log. Upload data is counted, never parsed; after an agent's error the next message is a request again. */
export function watchFiles({ note, uploaded }: FileNotes) {
  /** Current upload. Ours resumes at an offset that only the agent knows. */
  let upload: { path: string; left: number; isOurs: boolean } | null = null

  function request(bytes: Uint8Array) {
    const asked = parseFileRequest(bytes)
    if (asked?.kind === 'download') note('file download', cleanOutput(asked.path))
    if (asked?.kind === 'upload') {
      note('file upload', cleanOutput(asked.path))
      upload = { path: cleanOutput(asked.path), left: asked.size, isOurs: false }
    }
    if (asked?.kind !== 'more') return
    const { op, path, to, size, offset } = asked.request as Readonly<Record<string, unknown>>
    // A download's chunks are one action.
    if (typeof op !== 'string' || (op === 'download' && Number(offset) > 0)) return
    note(
      `file ${cleanOutput(op).slice(0, 20)}`,
      cleanOutput([path, to].filter((part) => typeof part === 'string').join(' -> ')),
    )
    upload = op === 'upload' ? { path: cleanOutput(String(path)), left: Number(size) || 0, isOurs: true } : null
  }
  return {
    fromUser(bytes: Uint8Array) {
      if (upload && upload.left > 0) {
        upload.left -= bytes.length
        return
      }
      if (bytes.length > maxRequestBytes) return
      try {
        request(bytes)
      } catch {
        // The agent answers what is no request.
      }
    },
    fromAgent(bytes: Uint8Array) {
      if (!upload) return
      const { path, isOurs } = upload
      const error = parseFileError(bytes)
      const answer = isOurs && markOf(bytes) === 'answer' ? answerIn(bytes) : null
      if (typeof answer?.offset === 'number') {
        upload.left -= answer.offset
        return
      }
      if (error === undefined && answer === null && markOf(bytes) !== 'uploaded') return
      upload = null
      const sha256 = typeof answer?.sha256 === 'string' ? cleanOutput(answer.sha256) : null
      uploaded(error === undefined ? { path, sha256 } : { path, error: cleanOutput(error) })
    },
  }
}

function answerIn(bytes: Uint8Array): Readonly<Record<string, unknown>> {
  try {
    return (parseAnswerFrame(bytes) ?? {}) as Readonly<Record<string, unknown>>
  } catch {
    return {}
  }
}
